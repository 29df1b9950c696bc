import type { Core } from "#kernel/core.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import { recordColumns, type ServerRecord } from "./server-record.ts";

/** Limits the response. No account rents this many. */
const maxServers = 1_000;

const selectServers = prepared(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("servers")
    .select(recordColumns)
    .where("account_id", "=", accountId)
    .where("state", "<>", "TERMINATED")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(maxServers),
);

/** The account's servers except terminated ones, newest first, in one query. */
export async function listServers(core: Core, accountId: string): Promise<readonly ServerRecord[]> {
  return selectServers(core.db.read, { accountId });
}
