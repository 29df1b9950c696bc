import type { Session } from "@ironlease/client";
import type { Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";

const columns: readonly Column<Session>[] = [
  { field: "id", heading: "ID", cell: ({ id }) => id },
  {
    field: "current",
    heading: "",
    cell: ({ current }, style) => (current ? style.green("current") : ""),
  },
  { field: "createdAt", heading: "SIGNED IN", cell: ({ createdAt }) => minuteOf(createdAt) },
  { field: "lastSeenAt", heading: "LAST SEEN", cell: ({ lastSeenAt }) => minuteOf(lastSeenAt) },
  { field: "expiresAt", heading: "EXPIRES", cell: ({ expiresAt }) => minuteOf(expiresAt) },
  { field: "ipAddress", heading: "FROM", cell: ({ ipAddress }) => ipAddress },
  { field: "userAgent", heading: "PROGRAM", cell: ({ userAgent }) => userAgent },
];

export const listSessions = command({
  words: ["session", "list"],
  summary: "List the account's sessions.",
  columns,
  examples: [
    { line: "ironlease session list", meaning: "All sessions; the current one is marked." },
  ],
  run: async ({ context }) => {
    const client = await context.member();
    const answer = await client.listSessions(context.calling);
    return listed(answer, { rows: answer.sessions, columns });
  },
});
