import { inspectSecondFactorKey, type InspectedSealingKey } from "#composition/inspect.ts";
import { inspectDatabase } from "#composition/open-database.ts";
import type { Config } from "#config.ts";
import { openSecondFactors } from "#features/operators/reseal-second-factors.ts";
import { migrations } from "#migrations/index.ts";
import type { Finding } from "./finding.ts";

const subject = "second factors";

/** Whether the key exists, is private to its owner, and opens every stored second factor. */
export async function secondFactorFinding(config: Config): Promise<Finding> {
  if (config.operatorListen === undefined) {
    return { subject, detail: "the operator listener is off, so no key is needed" };
  }
  const key = inspectSecondFactorKey(config);
  const { path, isOurs, isMissing } = key;
  const count = await countOpened(config, key);
  if (key.isOpenToOthers) {
    return { subject, problem: `other users can read ${path}: chmod 600 ${path}` };
  }
  const where = isMissing ? "the first start will create a key" : `key file ${path}`;
  const isLocal = config.databaseUrl !== undefined && isOurs;
  return {
    subject,
    detail: `${count} can be opened; ${where}${isLocal ? ", on this machine only: for several instances set IRONLEASE_SECRET_FILE" : ""}`,
  };
}

async function countOpened(config: Config, key: InspectedSealingKey): Promise<number> {
  // A key file that a setting names must be valid even while there is nothing to open.
  await key.check();
  const db = await inspectDatabase(config);
  if (db === undefined) return 0;
  try {
    if ((await db.pending(migrations)).length > 0) return 0;
    return (await openSecondFactors({ db, sealing: key.sealing })).length;
  } finally {
    await db.close();
  }
}
