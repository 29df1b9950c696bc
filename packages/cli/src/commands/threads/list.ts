import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { table } from "#output/table.ts";

export const listMessages = command({
  words: ["message", "list"],
  summary: "List the threads with the operators.",
  description: [
    "Operators report the outcome of deliveries, actions, DDoS changes and withdrawals here, and answer your " +
      "messages.",
  ],
  examples: [{ line: "ironlease message list", meaning: "The latest threads." }],
  run: async ({ context }) => {
    const client = await context.member();
    return output(await client.listThreads(context.calling), ({ threads }, style) =>
      threads.length === 0
        ? "No messages."
        : table(
            style,
            [
              { heading: "ID", cell: ({ id }) => id },
              { heading: "SUBJECT", cell: ({ subject }) => subject },
              { heading: "STATE", cell: ({ state }) => stateIn(style, state) },
              { heading: "NEW", cell: ({ unread }) => String(unread) },
              { heading: "LAST MESSAGE", cell: ({ lastMessageAt }) => minuteOf(lastMessageAt) },
            ],
            threads,
          ),
    );
  },
});
