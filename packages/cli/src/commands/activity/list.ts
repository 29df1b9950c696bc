import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

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
    return output(await client.listActivity(page, context.calling), ({ entries }, style) =>
      entries.length === 0
        ? "No entries."
        : table(
            style,
            [
              { heading: "TIME", cell: ({ at }) => minuteOf(at) },
              { heading: "ACTION", cell: ({ action }) => action },
              { heading: "SUBJECT", cell: ({ subject }) => subject },
              { heading: "IP ADDRESS", cell: ({ ipAddress }) => ipAddress ?? "-" },
              { heading: "ID", cell: ({ id }) => id },
            ],
            entries,
          ),
    );
  },
});
