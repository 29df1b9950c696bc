import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listRates = command({
  words: ["rate", "list"],
  summary: "List current rates.",
  description: [
    "The USD value of one coin at which a deposit would be credited now. Deposits in an asset without a rate " +
      "are credited at its next rate. No sign-in needed.",
  ],
  examples: [{ line: "ironlease rate list", meaning: "The rates of all connected assets." }],
  run: async ({ context }) => {
    const client = await context.anyone();
    return output(await client.listRates(context.calling), ({ rates }, style) =>
      rates.length === 0
        ? "There is no current rate. Deposits are credited at the next one."
        : table(
            style,
            [
              { heading: "ASSET", cell: ({ asset }) => asset },
              { heading: "USD", cell: ({ usd }) => usd, isRight: true },
              { heading: "SINCE", cell: ({ at }) => minuteOf(at) },
            ],
            rates,
          ),
    );
  },
});
