import type { Assignment } from "@ironlease/client";
import { extras, type Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { listed } from "#output/output.ts";

const nameOr = (name = "") => (name === "" ? "-" : name);

const columns: readonly Column<Assignment>[] = [
  { field: "id", heading: "ID", cell: ({ id }) => id },
  {
    field: "address",
    heading: "ADDRESS",
    cell: ({ address, prefixLength }) => `${address}/${prefixLength}`,
  },
  { field: "ptr", heading: "REVERSE DNS", cell: ({ ptr }) => nameOr(ptr) },
  {
    field: "ptrPublished",
    value: ({ ptrPublished }) => ptrPublished?.ptr ?? null,
    heading: "PUBLISHED",
    cell: ({ ptrPublished }) => nameOr(ptrPublished?.ptr),
  },
  { field: "serverId", heading: "SERVER", cell: ({ serverId }) => serverId },
  ...extras<Assignment>("prefixLength"),
];

export const listNetwork = command({
  words: ["network", "list"],
  summary: "List IP addresses and their reverse DNS names.",
  description: [
    "Reverse DNS names are requested settings; public DNS may differ. Also works with an API key of scope " +
      "servers.",
  ],
  columns,
  examples: [{ line: "ironlease network list", meaning: "All addresses of the account." }],
  run: async ({ context }) => {
    const client = await context.reader();
    const answer = await client.listAssignments(context.calling);
    return listed(
      answer,
      { rows: answer.assignments, columns },
      { none: "No addresses yet. A server gets them at delivery." },
    );
  },
});
