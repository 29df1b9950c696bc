import type { Core } from "#kernel/core.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import { recordColumns, type ServerRecord } from "./server-record.ts";

/** More than anybody rents through one account; it bounds the answer, not the customer. */
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

/** The account's servers, all but terminated ones, newest first: one query however many. */
export async function listServers(core: Core, accountId: string): Promise<readonly ServerRecord[]> {
  return selectServers(core.db.read, { accountId });
}
