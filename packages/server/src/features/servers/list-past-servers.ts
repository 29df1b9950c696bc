import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import { recordColumns, type ServerRecord } from "./server-record.ts";

export type PastServerRecord = ServerRecord & { readonly endedAt: number };

const selectPast = prepared(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("servers")
    .select(recordColumns)
    .select("ended_at as endedAt")
    .$narrowType<{ endedAt: number }>()
    .where("account_id", "=", accountId)
    .where("ended_at", "is not", null)
    .orderBy("ended_at", "desc")
    .orderBy("id", "desc")
    .limit(limits.listLength),
);

/** The account's terminated servers, latest first, in one query. */
export async function listPastServers(
  { db }: Core,
  accountId: string,
): Promise<readonly PastServerRecord[]> {
  return selectPast(db.read, { accountId });
}
