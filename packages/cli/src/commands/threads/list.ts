import type { Thread } from "@ironlease/client";
import { extras, type Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";
import { stateIn } from "#output/state.ts";

const columns: readonly Column<Thread>[] = [
  { field: "id", heading: "ID", cell: ({ id }) => id },
  { field: "subject", heading: "SUBJECT", cell: ({ subject }) => subject },
  { field: "state", heading: "STATE", cell: ({ state }, style) => stateIn(style, state) },
  { field: "unread", heading: "NEW", cell: ({ unread }) => String(unread) },
  {
    field: "lastMessageAt",
    heading: "LAST MESSAGE",
    cell: ({ lastMessageAt }) => minuteOf(lastMessageAt),
  },
  ...extras<Thread>("serverId", "createdAt"),
];

export const listMessages = command({
  words: ["message", "list"],
  summary: "List the threads with the operators.",
  description: [
    "Operators report the outcome of deliveries, actions, DDoS changes and withdrawals here, and answer your " +
      "messages.",
  ],
  columns,
  examples: [{ line: "ironlease message list", meaning: "The latest threads." }],
  run: async ({ context }) => {
    const client = await context.member();
    const answer = await client.listThreads(context.calling);
    return listed(answer, { rows: answer.threads, columns }, { none: "No messages." });
  },
});
