import { UsageError, record } from "@ironlease/command-line";
import { command } from "#command.ts";
import type { Context } from "#context.ts";
import { output } from "#output/output.ts";
import { findServerId } from "#steps/find-server.ts";
import { replayLines, written } from "#steps/written.ts";

export const sendMessage = command({
  words: ["message", "send"],
  summary: "Write to the operators.",
  description: [
    "With --thread the message continues that thread. Without it a new thread opens, which needs --subject; " +
      "with --server it goes to that server's own thread.",
  ],
  arguments: [{ name: "text", meaning: "Plain text, up to 8 KiB." }],
  options: {
    thread: { value: "ID", meaning: "Thread to continue." },
    subject: { value: "TEXT", meaning: "What it is about, up to 200 characters." },
    server: { value: "SERVER", meaning: "Id or host name of the server that it is about." },
  },
  keyed: true,
  fields: ["threadId", "messageId", "idempotencyKey", "isReplay"],
  examples: [
    {
      line: "ironlease message send 'The second disk reports errors.' --subject 'Second disk' --server web1.example.com",
      meaning: "Write about a server.",
    },
    {
      line: "ironlease message send 'Thank you.' --thread thr_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "Continue a thread.",
    },
  ],
  run: async ({ args: { text }, options, context }) => {
    const sent = await send(context, text, options);
    return output(sent, (shown, style) => [
      record(style, [
        ["Thread", shown.threadId],
        ["Message", shown.messageId],
      ]),
      "",
      "Sent. The answer appears in the same thread.",
      ...replayLines(shown),
    ]);
  },
});

async function send(
  context: Context,
  text: string,
  {
    thread,
    subject,
    server,
  }: {
    readonly thread: string | undefined;
    readonly subject: string | undefined;
    readonly server: string | undefined;
  },
) {
  if (thread !== undefined) {
    if (subject !== undefined || server !== undefined) {
      throw new UsageError("--thread cannot be combined with --subject or --server.");
    }
    const client = await context.member();
    const key = await context.writing();
    const message = written(await client.sendMessage({ id: thread, text }, key), key);
    const { id: messageId, idempotencyKey, isReplay } = message;
    return { threadId: thread, messageId, idempotencyKey, isReplay };
  }
  if (subject === undefined) throw new UsageError("A new thread needs --subject.");
  const client = await context.member();
  const about =
    server === undefined ? {} : { serverId: await findServerId(client, server, context) };
  const key = await context.writing();
  const opened = written(await client.openThread({ subject, text, ...about }, key), key);
  const { id: threadId, messages, idempotencyKey, isReplay } = opened;
  return { threadId, messageId: messages[0]?.id ?? "", idempotencyKey, isReplay };
}
