import { command } from "#command.ts";
import { amountOf, minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { table } from "#output/table.ts";

export const listDeposits = command({
  words: ["deposit", "list"],
  summary: "List deposits.",
  description: [
    "The latest 100, newest first. CONFIRMING deposits are not in the balance yet. RATE is the price of one coin in USD at the time of the credit.",
  ],
  examples: [{ line: "ironlease deposit list", meaning: "The latest deposits." }],
  run: async ({ context }) => {
    const client = await context.member();
    return output(await client.listDeposits(context.calling), ({ deposits }, style) =>
      deposits.length === 0
        ? `No deposits yet. To get an address: ${context.suggest("ironlease deposit create ASSET")}`
        : table(
            style,
            [
              { heading: "SEEN", cell: ({ seenAt }) => minuteOf(seenAt) },
              { heading: "STATE", cell: ({ state }) => stateIn(style, state) },
              {
                heading: "CONFIRMATIONS",
                cell: ({ confirmations, confirmationsRequired }) =>
                  `${confirmations} of ${confirmationsRequired}`,
                isRight: true,
              },
              { heading: "AMOUNT", cell: ({ amount }) => amount, isRight: true },
              { heading: "ASSET", cell: ({ asset }) => asset },
              {
                heading: "USD",
                cell: ({ usd }) => (usd === null ? "-" : amountOf(usd)),
                isRight: true,
              },
              {
                heading: "RATE",
                cell: ({ rate }) => (rate === null ? "-" : rate.usd),
                isRight: true,
              },
              { heading: "ADDRESS", cell: ({ address }) => address },
            ],
            deposits,
          ),
    );
  },
});
