import { inspectStatementKey } from "#composition/inspect.ts";
import type { Config } from "#config.ts";
import type { Finding } from "./finding.ts";

const subject = "statement key";

/** Whether the key that signs statements is valid and private to its owner. */
export async function statementKeyFinding(config: Config): Promise<Finding> {
  const key = inspectStatementKey(config);
  const { path, isOurs, isMissing } = key;
  await key.check();
  if (key.isOpenToOthers) {
    return { subject, problem: `other users can read ${path}: chmod 600 ${path}` };
  }
  const where = isMissing ? "the first start will create it" : path;
  const isLocal = config.databaseUrl !== undefined && isOurs;
  return {
    subject,
    detail: `${where}${isLocal ? ", on this machine only: if the data folder does not last, set IRONLEASE_STATEMENT_KEY_FILE" : ""}`,
  };
}
