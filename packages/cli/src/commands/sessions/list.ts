import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listSessions = command({
  words: ["session", "list"],
  summary: "List the account's sessions.",
  examples: [
    { line: "ironlease session list", meaning: "All sessions; the current one is marked." },
  ],
  run: async ({ context }) => {
    const client = await context.member();
    return output(await client.listSessions(context.calling), ({ sessions }, style) =>
      table(
        style,
        [
          { heading: "ID", cell: ({ id }) => id },
          { heading: "", cell: ({ current }) => (current ? style.green("current") : "") },
          { heading: "SIGNED IN", cell: ({ createdAt }) => minuteOf(createdAt) },
          { heading: "LAST SEEN", cell: ({ lastSeenAt }) => minuteOf(lastSeenAt) },
          { heading: "EXPIRES", cell: ({ expiresAt }) => minuteOf(expiresAt) },
          { heading: "FROM", cell: ({ ipAddress }) => ipAddress },
          { heading: "PROGRAM", cell: ({ userAgent }) => userAgent },
        ],
        sessions,
      ),
    );
  },
});
