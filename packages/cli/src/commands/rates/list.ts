import type { Rate } from "@ironlease/client";
import type { Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";

const columns: readonly Column<Rate>[] = [
  { field: "asset", heading: "ASSET", cell: ({ asset }) => asset },
  { field: "usd", heading: "USD", cell: ({ usd }) => usd, isRight: true },
  { field: "at", heading: "SINCE", cell: ({ at }) => minuteOf(at) },
];

export const listRates = command({
  words: ["rate", "list"],
  summary: "List current rates.",
  description: [
    "The USD value of one coin at which a deposit would be credited now. Deposits in an asset without a rate " +
      "are credited at its next rate. No sign-in needed.",
  ],
  columns,
  examples: [{ line: "ironlease rate list", meaning: "The rates of all connected assets." }],
  run: async ({ context }) => {
    const client = await context.anyone();
    const answer = await client.listRates(context.calling);
    return listed(
      answer,
      { rows: answer.rates, columns },
      { none: "There is no current rate. Deposits are credited at the next one." },
    );
  },
});
