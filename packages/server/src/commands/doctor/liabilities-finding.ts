import { clock } from "#composition/inspect.ts";
import { inspectDatabase } from "#composition/open-database.ts";
import type { Config } from "#config.ts";
import { dateOf, findNewest } from "#kernel/liability-trees.ts";
import { migrations } from "#migrations/index.ts";
import type { Finding } from "./finding.ts";

const subject = "liabilities";
const dayMs = 86_400_000;

/** Whether a running service has signed today's balances. Early in the day it may not have come to it. */
export async function liabilitiesFinding(config: Config): Promise<Finding> {
  const db = await inspectDatabase(config);
  if (db === undefined) return { subject, detail: "none signed yet" };
  try {
    if ((await db.pending(migrations)).length > 0) return { subject, detail: "none signed yet" };
    const newest = await findNewest(db.read);
    if (newest === undefined) return { subject, detail: "none signed yet" };
    const { date, accounts } = newest;
    const yesterday = dateOf(clock.now() - dayMs);
    return date >= yesterday
      ? { subject, detail: `signed for ${date}, ${accounts} accounts` }
      : { subject, note: `last signed for ${date}: start the service, which signs once a day` };
  } finally {
    await db.close();
  }
}
