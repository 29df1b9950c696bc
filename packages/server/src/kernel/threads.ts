import { sql } from "kysely";
import type { Tx } from "#ports/db.ts";
import { recordEvent } from "./outbox/record-event.ts";
import { attachSealedText, type SealedText } from "./sealed-texts.ts";
import { preparedInsert } from "./sql/prepared.ts";
import { erasedText, type Erase } from "./closed-account.ts";
import type { TxScope } from "./call.ts";

/**
 * Every write to `threads` and `messages`. Threads are locked after every other row, so that the outcome of a use case
 * can be its last statement.
 */

/** Who writes. Customers never see which operator it was. */
export type Author =
  | { readonly sender: "CUSTOMER" }
  | {
      readonly sender: "OPERATOR";
      readonly operatorId: string;
      /** Whether it answers what the customer wrote before. */
      readonly isAnswer: boolean;
    }
  /** The service itself, without an operator. */
  | { readonly sender: "SERVICE" };

/** The service opens a thread in the operators' name. */
type Opener = Exclude<Author["sender"], "SERVICE">;

/** As the table allows. */
const maxSubject = 200;

/** The only thread about something. */
export interface Topic {
  readonly accountId: string;
  readonly topic: string;
  readonly serverId: string | null;
  readonly regionId: string | null;
  readonly subject: string;
}

/** The thread of an account's withdrawals. */
export function withdrawalsTopic(accountId: string): Topic {
  const topic = `withdrawals/${accountId}`;
  return { accountId, topic, serverId: null, regionId: null, subject: "Withdrawals" };
}

/** The thread about an account's webhooks. */
export function webhooksTopic(accountId: string): Topic {
  const topic = `webhooks/${accountId}`;
  return { accountId, topic, serverId: null, regionId: null, subject: "Webhooks" };
}

/** Unique, as the index of topics. */
export const serverTopicOf = (serverId: string) => `server/${serverId}`;

/** The thread of a server, in any state. Undefined when there is no such server. */
export async function serverTopic(tx: Tx, serverId: string): Promise<Topic | undefined> {
  const server = await tx
    .selectFrom("servers")
    .select(["account_id as accountId", "region_id as regionId", "hostname"])
    .where("id", "=", serverId)
    .executeTakeFirst();
  if (server === undefined) return undefined;
  const { accountId, regionId, hostname } = server;
  // A host name may be longer than a subject.
  const subject = `Server ${hostname ?? serverId}`.slice(0, maxSubject);
  return { accountId, topic: serverTopicOf(serverId), serverId, regionId, subject };
}

const insertThread = (tx: Tx, thread: NewThread, now: number) =>
  tx.insertInto("threads").values({
    id: thread.id,
    account_id: thread.accountId,
    topic: thread.topic,
    server_id: thread.serverId,
    region_id: thread.regionId,
    opened_by: thread.openedBy,
    subject: thread.subject,
    state: "OPEN",
    created_at: now,
    last_message_at: now,
    customer_unread: 0,
    operator_unread: 0,
    assigned_to: null,
    changes: 1,
  });

/** Set by every update that the customer sees. */
const changed = { changes: sql<number>`changes + 1` };

interface NewThread extends Omit<Topic, "topic"> {
  readonly id: string;
  readonly topic: string | null;
  readonly openedBy: Opener;
}

/** Finds the topic's thread, or opens it. Of two concurrent callers, one opens it and both get it. */
export async function threadOf(
  { tx, core }: TxScope,
  topic: Topic,
  openedBy: Opener,
): Promise<string> {
  const id = core.ids.next("thread");
  await insertThread(tx, { ...topic, id, openedBy }, core.clock.now())
    .onConflict((conflict) => conflict.column("topic").doNothing())
    .execute();
  const thread = await tx
    .selectFrom("threads")
    .select("id")
    .where("topic", "=", topic.topic)
    .executeTakeFirstOrThrow();
  return thread.id;
}

/** Opens a thread without a topic. */
export async function openThread(
  { tx, core }: TxScope,
  { accountId, subject }: { readonly accountId: string; readonly subject: string },
  openedBy: Opener,
): Promise<string> {
  const id = core.ids.next("thread");
  const thread = { accountId, subject, topic: null, serverId: null, regionId: null };
  await insertThread(tx, { ...thread, id, openedBy }, core.clock.now()).execute();
  return id;
}

const insertMessage = preparedInsert("messages", [
  "id",
  "thread_id",
  "account_id",
  "sender",
  "operator_id",
  "text",
  "created_at",
]);

interface Letter {
  readonly threadId: string;
  readonly accountId: string;
  readonly text: string;
  /** The message proper, if the text only says that it is sealed. */
  readonly sealed?: SealedText | undefined;
  /** Replaces the subject of the thread. */
  readonly subject?: string | undefined;
}

/** Adds a message to one of the account's threads, which is OPEN again, and counts it as unread for the other side. */
export async function postMessage(
  scope: TxScope,
  { threadId, accountId, text, sealed, subject }: Letter,
  author: Author,
): Promise<{ readonly id: string; readonly createdAt: number }> {
  const { tx, core } = scope;
  const [id, createdAt] = [core.ids.next("message"), core.clock.now()];
  const { numUpdatedRows } = await tx
    .updateTable("threads")
    .set({
      state: "OPEN",
      last_message_at: createdAt,
      ...changed,
      ...(subject !== undefined && { subject }),
      ...unreadAfter(author),
    })
    .where("id", "=", threadId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`${threadId} is not a thread of ${accountId}`);
  await insertMessage(tx, {
    id,
    thread_id: threadId,
    account_id: accountId,
    sender: author.sender,
    operator_id: author.sender === "OPERATOR" ? author.operatorId : null,
    text,
    created_at: createdAt,
  });
  if (sealed !== undefined) await attachSealedText(tx, id, sealed);
  if (author.sender !== "CUSTOMER") {
    const data = { threadId, messageId: id, from: author.sender };
    await recordEvent(scope, { accountId, type: "message.received", data });
  }
  return { id, createdAt };
}

/** An answer leaves nothing unread at the desk. An outcome is no answer. */
function unreadAfter(author: Author) {
  if (author.sender === "CUSTOMER") return { operator_unread: sql<number>`operator_unread + 1` };
  return {
    customer_unread: sql<number>`customer_unread + 1`,
    ...(author.sender === "OPERATOR" && author.isAnswer && { operator_unread: 0 }),
  };
}

interface OwnThread {
  readonly threadId: string;
  readonly accountId: string;
}

/** False when the account has no such thread. */
export async function markThreadRead(tx: Tx, { threadId, accountId }: OwnThread): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("threads")
    .set({ customer_unread: 0, ...changed })
    .where("id", "=", threadId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The customer closes their own thread. False when the account has no such thread. */
export async function closeOwnThread(tx: Tx, { threadId, accountId }: OwnThread): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("threads")
    .set({ state: "CLOSED", ...changed })
    .where("id", "=", threadId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** An operator closes a thread, which leaves nothing unread at the desk. False when there is no such thread. */
export async function closeAnyThread(tx: Tx, threadId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("threads")
    .set({ state: "CLOSED", operator_unread: 0, ...changed })
    .where("id", "=", threadId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** False when there is no such thread. */
export async function assignThread(
  tx: Tx,
  threadId: string,
  operatorId: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("threads")
    .set({ assigned_to: operatorId })
    .where("id", "=", threadId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Closes every thread, and erases what customer and operators wrote. */
export const eraseThreads: Erase = async ({ tx }, accountId) => {
  await tx
    .updateTable("threads")
    .set({
      ...{ subject: erasedText, state: "CLOSED", assigned_to: null },
      ...{ customer_unread: 0, operator_unread: 0 },
    })
    .where("account_id", "=", accountId)
    .execute();
  await tx
    .updateTable("messages")
    .set({ text: erasedText })
    .where("account_id", "=", accountId)
    .execute();
};
