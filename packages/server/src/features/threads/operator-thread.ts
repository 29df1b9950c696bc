import { limits } from "@ironlease/contract";
import { sql, type Kysely } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Schema } from "#ports/schema.ts";
import { keysFor, type CustomerKey } from "./customer-keys.ts";
import {
  readMessages,
  threadColumns,
  type MessageRecord,
  type ThreadRecord,
} from "./thread-record.ts";

/** A thread as operators see it. */
export interface OperatorThread extends ThreadRecord {
  readonly accountId: string;
  readonly username: string;
  readonly regionId: string | null;
  readonly assignedTo: string | null;
}

export interface OperatorThreadDetail {
  readonly thread: OperatorThread;
  readonly messages: readonly MessageRecord[];
}

function selectThreads(db: Kysely<Schema>) {
  return db
    .selectFrom("threads")
    .innerJoin("accounts", "accounts.id", "threads.account_id")
    .leftJoin("operators", "operators.id", "threads.assigned_to")
    .select(threadColumns)
    .select(["threads.account_id as accountId", "accounts.username"])
    .select(["threads.region_id as regionId", "operators.username as assignedTo"])
    .select("threads.operator_unread as unread");
}

export function findThread(db: Kysely<Schema>, threadId: string) {
  return selectThreads(db).where("threads.id", "=", threadId).executeTakeFirst();
}

/** Any customer's thread with its messages. */
export async function readAnyThread(
  core: Core,
  threadId: string,
): Promise<Result<OperatorThreadDetail & { readonly sshKeys: readonly CustomerKey[] }>> {
  const { read } = core.db;
  const thread = await findThread(read, threadId);
  if (thread === undefined) return refuse("not_found");
  const [messages, sshKeys] = [await readMessages(core, threadId), await keysFor(read, thread)];
  return ok({ thread, messages, sshKeys });
}

export interface ThreadFilter {
  readonly unread?: string | undefined;
  readonly regionId?: string | undefined;
  readonly assignedTo?: string | undefined;
  readonly accountId?: string | undefined;
  readonly serverId?: string | undefined;
  /** Of the last message, in whole hours. */
  readonly minimumAgeHours?: string | undefined;
  readonly after?: string | undefined;
}

const hourMs = 3_600_000;

/** A page of threads, the latest message first. Unanswered ones come with the longest waiting first. */
export async function listAllThreads(
  { db, clock }: Core,
  filter: ThreadFilter,
): Promise<readonly OperatorThread[]> {
  const isUnread = filter.unread !== undefined && !["0", "false"].includes(filter.unread);
  const order = isUnread ? "asc" : "desc";
  let query = selectThreads(db.read)
    .orderBy("threads.last_message_at", order)
    .orderBy("threads.id", order)
    .limit(limits.listLength);
  if (isUnread) query = query.where("threads.operator_unread", ">", sql.lit(0));
  const { regionId = "", accountId = "", assignedTo = "", after = "" } = filter;
  if (regionId !== "") query = query.where("threads.region_id", "=", regionId);
  if (accountId !== "") query = query.where("threads.account_id", "=", accountId);
  const { serverId = "", minimumAgeHours = "" } = filter;
  if (serverId !== "") query = query.where("threads.topic", "=", `server/${serverId}`);
  if (minimumAgeHours !== "") {
    const latest = clock.now() - Number(minimumAgeHours) * hourMs;
    query = query.where("threads.last_message_at", "<=", latest);
  }
  if (assignedTo !== "") {
    query = query.where("threads.assigned_to", "=", (eb) =>
      eb.selectFrom("operators as o").select("o.id").where("o.username", "=", assignedTo),
    );
  }
  if (after !== "") {
    const last = sql`(select last_message_at from threads where id = ${after})`;
    const side = sql.raw(isUnread ? ">" : "<");
    query = query.where(
      sql<boolean>`(threads.last_message_at, threads.id) ${side} (${last}, ${after})`,
    );
  }
  return query.execute();
}
