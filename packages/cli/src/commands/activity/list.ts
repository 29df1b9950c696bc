import type { ListActivityAnswerEntry } from "@ironlease/client";
import type { Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";

const columns: readonly Column<ListActivityAnswerEntry>[] = [
  { field: "at", heading: "TIME", cell: ({ at }) => minuteOf(at) },
  { field: "action", heading: "ACTION", cell: ({ action }) => action },
  { field: "subject", heading: "SUBJECT", cell: ({ subject }) => subject },
  { field: "ipAddress", heading: "IP ADDRESS", cell: ({ ipAddress }) => ipAddress ?? "-" },
  { field: "id", heading: "ID", cell: ({ id }) => id },
];

export const listActivity = command({
  words: ["activity"],
  summary: "List sign-ins, changes and what operators did to the account.",
  description: [
    "Newest first, 100 entries. If you do not recognize a sign-in, change your password with " +
      "ironlease password: it ends every session and API key.",
  ],
  options: {
    after: { value: "ID", meaning: "Continue after this entry, the last of the previous page." },
  },
  columns,
  examples: [
    { line: "ironlease activity", meaning: "The latest entries." },
    {
      line: "ironlease activity --after aud_01kfxq8n3ve7wt5c2m9hzr4d6y",
      meaning: "The page after this entry.",
    },
  ],
  run: async ({ options, context }) => {
    const client = await context.member();
    const { after } = options;
    const page = after === undefined ? {} : { after };
    const answer = await client.listActivity(page, context.calling);
    return listed(answer, { rows: answer.entries, columns }, { none: "No entries." });
  },
});
