import { command } from "#command.ts";
import { usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listLiabilities = command({
  words: ["liabilities", "list"],
  summary: "List the dates with signed liabilities.",
  description: [
    "The total that the service owed to all customers on each date. Compare the root with other customers: all must " +
      "have the same. Also works with an API key of scope billing.",
  ],
  examples: [{ line: "ironlease liabilities list", meaning: "The last 100 dates." }],
  run: async ({ context }) => {
    const client = await context.reader();
    return output(await client.listLiabilities(context.calling), ({ liabilities }, style) =>
      liabilities.length === 0
        ? "No liabilities are signed yet. The service signs them once a day."
        : table(
            style,
            [
              { heading: "DATE", cell: ({ date }) => date },
              {
                heading: "TOTAL",
                cell: ({ totalCents }) => usdOf(totalCents / 100),
                isRight: true,
              },
              { heading: "ROOT", cell: ({ rootHash }) => rootHash },
            ],
            liabilities,
          ),
    );
  },
});
