import type { Notice } from "@ironlease/client";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listNotices = command({
  words: ["notice", "list"],
  summary: "List planned maintenance and incidents.",
  description: ["The current notices that concern your servers, in order of their start."],
  examples: [
    { line: "ironlease notice list", meaning: "What is planned or wrong now." },
    { line: "ironlease notice list --json", meaning: "With the text of each notice." },
  ],
  run: async ({ context }) => {
    const client = await context.member();
    return output(await client.listNotices(context.calling), ({ notices }, style) =>
      notices.length === 0
        ? "No notices."
        : table(
            style,
            [
              { heading: "KIND", cell: ({ kind }) => kind },
              { heading: "STARTS", cell: ({ startsAt }) => minuteOf(startsAt) },
              { heading: "ENDS", cell: ({ endsAt }) => minuteOf(endsAt) },
              { heading: "CONCERNS", cell: concerned },
              { heading: "TITLE", cell: ({ title }) => title },
            ],
            notices,
          ),
    );
  },
});

function concerned({ regionIds, serverIds }: Notice): string {
  return [...regionIds, ...serverIds].join(" ") || "everyone";
}
