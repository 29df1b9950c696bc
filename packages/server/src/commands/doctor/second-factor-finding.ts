import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { keyPlace, readKeys, type KeyPlace } from "../../adapters/system/key-file.ts";
import { createSealing } from "../../adapters/system/sealing.ts";
import type { Config } from "../../config.ts";
import { openSecondFactors } from "../../features/operators/reseal-second-factors.ts";
import { inspectDatabase } from "../../composition/open-database.ts";
import { migrations } from "../../migrations/index.ts";
import type { Finding } from "./finding.ts";

const subject = "second factors";

/** Whether the key is there, for its owner alone, and opens every second factor that there is. */
export async function secondFactorFinding(config: Config): Promise<Finding> {
  if (config.operatorListen === undefined)
    return { subject, detail: "no desk here, no key needed" };
  const place = keyPlace(config.secretFile, config.data);
  const isMissing = place.isOurs && !existsSync(place.path);
  // A key to look with: made for nobody, it opens nothing that another has sealed.
  // Read as a file that somebody else owns, which is never made and never changed.
  const read = isMissing
    ? async () => [randomBytes(32)]
    : () => readKeys({ ...place, isOurs: false });
  const count = await countOpened(config, read);
  if (!isMissing && isOpenToOthers(place)) {
    return { subject, problem: `others can read ${place.path}: chmod 600 ${place.path}` };
  }
  const where = isMissing ? "a key will be made at the first start" : `the key is ${place.path}`;
  const several = config.databaseUrl !== undefined && place.isOurs;
  return {
    subject,
    detail: `${count} can be opened; ${where}${several ? ", and is this machine's alone: with more of them set IRONLEASE_SECRET_FILE" : ""}`,
  };
}

function isOpenToOthers({ path }: KeyPlace): boolean {
  return (statSync(path).mode & 0o007) !== 0;
}

async function countOpened(config: Config, read: () => Promise<readonly Buffer[]>) {
  // Nothing to open yet, but a key file that was named must be good all the same.
  await read();
  const db = await inspectDatabase(config);
  if (db === undefined) return 0;
  try {
    if ((await db.pending(migrations)).length > 0) return 0;
    return (await openSecondFactors({ db, sealing: createSealing(read) })).length;
  } finally {
    await db.close();
  }
}
