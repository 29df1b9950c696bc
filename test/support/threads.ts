import type { Core } from "#server/kernel/core.ts";

/** The messages of an account's threads, oldest first: the server, who wrote it and the text. */
export async function messagesOf({ db }: Core, accountId: string) {
  const rows = await db.read
    .selectFrom("messages")
    .innerJoin("threads", "threads.id", "messages.thread_id")
    .select(["threads.server_id", "messages.sender", "messages.text"])
    .where("messages.account_id", "=", accountId)
    .orderBy("messages.id")
    .execute();
  return rows.map(({ server_id: serverId, sender, text }) => [serverId, sender, text] as const);
}
