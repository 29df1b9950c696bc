import type { Liability } from "@ironlease/client";
import type { Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { usdOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";

const columns: readonly Column<Liability>[] = [
  { field: "date", heading: "DATE", cell: ({ date }) => date },
  {
    field: "totalCents",
    heading: "TOTAL",
    cell: ({ totalCents }) => usdOf(totalCents / 100),
    isRight: true,
  },
  { field: "rootHash", heading: "ROOT", cell: ({ rootHash }) => rootHash },
];

export const listLiabilities = command({
  words: ["liabilities", "list"],
  summary: "List the dates with signed liabilities.",
  description: [
    "The total that the service owed to all customers on each date. Compare the root with other customers: all must " +
      "have the same.",
  ],
  columns,
  examples: [{ line: "ironlease liabilities list", meaning: "The last 100 dates." }],
  run: async ({ context }) => {
    const client = await context.member();
    const answer = await client.listLiabilities(context.calling);
    return listed(
      answer,
      { rows: answer.liabilities, columns },
      { none: "No liabilities are signed yet. The service signs them once a day." },
    );
  },
});
