import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import { threadColumns, type ThreadRecord } from "./thread-record.ts";

const selectThreads = prepared(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("threads")
    .select(threadColumns)
    .select("threads.customer_unread as unread")
    .where("threads.account_id", "=", accountId)
    .orderBy("threads.last_message_at", "desc")
    .orderBy("threads.id", "desc")
    .limit(limits.listLength),
);

/** The account's threads with the most recent messages. */
export async function listThreads(core: Core, accountId: string): Promise<readonly ThreadRecord[]> {
  return selectThreads(core.db.read, { accountId });
}
