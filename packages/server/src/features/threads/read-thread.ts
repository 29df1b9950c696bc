import type { Kysely } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Schema } from "#ports/schema.ts";
import {
  readMessages,
  threadColumns,
  type ThreadDetail,
  type ThreadRecord,
} from "./thread-record.ts";

/** One of the account's own threads with its messages. */
export async function readThread(
  core: Core,
  accountId: string,
  threadId: string,
): Promise<Result<ThreadDetail>> {
  const thread = await findOwnThread(core.db.read, accountId, threadId);
  if (thread === undefined) return refuse("not_found");
  return ok({ thread, messages: await readMessages(core, threadId) });
}

export function findOwnThread(
  db: Kysely<Schema>,
  accountId: string,
  threadId: string,
): Promise<ThreadRecord | undefined> {
  return db
    .selectFrom("threads")
    .select(threadColumns)
    .select("threads.customer_unread as unread")
    .where("threads.id", "=", threadId)
    .where("threads.account_id", "=", accountId)
    .executeTakeFirst();
}
