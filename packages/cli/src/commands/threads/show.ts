import type { ReadThreadAnswer } from "@ironlease/client";
import { cleanLines, record } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";

export const showMessages = command({
  words: ["message", "show"],
  summary: "Show the messages of a thread.",
  arguments: [{ name: "thread", meaning: "Id of the thread." }],
  options: { "mark-read": { meaning: "Also mark the thread as read." } },
  examples: [
    {
      line: "ironlease message show thr_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "The latest 100 messages, oldest first.",
    },
  ],
  run: async ({ args, options, context }) => {
    const client = await context.member();
    const { thread: id } = args;
    const thread = await client.readThread({ id }, context.calling);
    if (options["mark-read"]) await client.markThreadRead({ id }, context.calling);
    return output(thread, (shown, style) => [
      record(style, [
        ["Subject", shown.subject],
        ["State", stateIn(style, shown.state)],
        ["Server", shown.serverId ?? undefined],
      ]),
      // The text keeps its line breaks, so each line is cleaned by itself.
      ...thread.messages.flatMap(({ id: messageId, from, createdAt, text, sealed }) => [
        "",
        style.bold(`${from === "CUSTOMER" ? "You" : "Operator"}, ${minuteOf(createdAt)}`),
        ...(sealed === null
          ? [cleanLines(text)]
          : sealedLines(sealed, context.suggest(`ironlease message open ${id} ${messageId}`))),
      ]),
    ]);
  },
});

type Sealed = NonNullable<ReadThreadAnswer["messages"][number]["sealed"]>;

function sealedLines({ ciphertext, fingerprint, expiresAt }: Sealed, open: string) {
  const to = `Encrypted to your SSH key ${cleanLines(fingerprint)}.`;
  if (ciphertext === null) return [`${to} It expired ${minuteOf(expiresAt)} and was erased.`];
  return [expiresAt === null ? to : `${to} It expires ${minuteOf(expiresAt)}.`, open];
}
