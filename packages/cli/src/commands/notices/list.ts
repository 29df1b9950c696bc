import type { Notice } from "@ironlease/client";
import { extras, type Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";

const columns: readonly Column<Notice>[] = [
  { field: "kind", heading: "KIND", cell: ({ kind }) => kind },
  { field: "startsAt", heading: "STARTS", cell: ({ startsAt }) => minuteOf(startsAt) },
  { field: "endsAt", heading: "ENDS", cell: ({ endsAt }) => minuteOf(endsAt) },
  { field: "concerns", value: concerned, heading: "CONCERNS", cell: concerned },
  { field: "title", heading: "TITLE", cell: ({ title }) => title },
  ...extras<Notice>("id", "text"),
];

export const listNotices = command({
  words: ["notice", "list"],
  summary: "List planned maintenance and incidents.",
  description: ["The current notices that concern your servers, in order of their start."],
  columns,
  examples: [
    { line: "ironlease notice list", meaning: "What is planned or wrong now." },
    { line: "ironlease notice list --json", meaning: "With the text of each notice." },
  ],
  run: async ({ context }) => {
    const client = await context.member();
    const answer = await client.listNotices(context.calling);
    return listed(answer, { rows: answer.notices, columns }, { none: "No notices." });
  },
});

function concerned({ regionIds, serverIds }: Notice): string {
  return [...regionIds, ...serverIds].join(" ") || "everyone";
}
