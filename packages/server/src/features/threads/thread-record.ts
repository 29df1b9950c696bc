import { limits } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { shownAt, type SealedText } from "#kernel/sealed-texts.ts";
import type { MessageSender, ThreadState } from "#ports/schema.ts";

/** A thread as its customer sees it. */
export interface ThreadRecord {
  readonly id: string;
  readonly subject: string;
  readonly serverId: string | null;
  readonly state: ThreadState;
  readonly createdAt: number;
  readonly lastMessageAt: number;
  /** Messages that the reader's side has not read. */
  readonly unread: number;
}

export interface MessageRecord {
  readonly id: string;
  readonly from: MessageSender;
  /** For operators only. */
  readonly operator: string | null;
  readonly createdAt: number;
  readonly text: string;
  /** Absent on plain messages. */
  readonly sealed?: SealedText | undefined;
}

export interface ThreadDetail {
  readonly thread: ThreadRecord;
  readonly messages: readonly MessageRecord[];
}

/** The columns that both sides see, under their names. */
export const threadColumns = [
  "threads.id",
  "threads.subject",
  "threads.server_id as serverId",
  "threads.state",
  "threads.created_at as createdAt",
  "threads.last_message_at as lastMessageAt",
] as const;

/** The latest messages of a thread that the caller may read, oldest first. */
export async function readMessages(
  { db, clock }: Core,
  threadId: string,
): Promise<readonly MessageRecord[]> {
  const newestFirst = await db.read
    .selectFrom("messages")
    .leftJoin("operators", "operators.id", "messages.operator_id")
    .leftJoin("sealed_texts", "sealed_texts.message_id", "messages.id")
    .select(["messages.id", "messages.sender as from", "operators.username as operator"])
    .select(["messages.created_at as createdAt", "messages.text", "sealed_texts.fingerprint"])
    .select(["sealed_texts.ciphertext", "sealed_texts.expires_at as expiresAt"])
    .where("messages.thread_id", "=", threadId)
    .orderBy("messages.id", "desc")
    .limit(limits.listLength)
    .execute();
  const now = clock.now();
  return newestFirst.toReversed().map(({ fingerprint, ciphertext, expiresAt, ...message }) => ({
    ...message,
    sealed: fingerprint === null ? undefined : shownAt(now, { fingerprint, ciphertext, expiresAt }),
  }));
}
