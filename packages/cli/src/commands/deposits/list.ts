import type { Deposit } from "@ironlease/client";
import { extras, type Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { amountOf, minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";
import { stateIn } from "#output/state.ts";

const columns: readonly Column<Deposit>[] = [
  { field: "seenAt", heading: "SEEN", cell: ({ seenAt }) => minuteOf(seenAt) },
  { field: "state", heading: "STATE", cell: ({ state }, style) => stateIn(style, state) },
  {
    field: "confirmations",
    heading: "CONFIRMATIONS",
    cell: ({ confirmations, confirmationsRequired }) =>
      `${confirmations} of ${confirmationsRequired}`,
    isRight: true,
  },
  { field: "amount", heading: "AMOUNT", cell: ({ amount }) => amount, isRight: true },
  { field: "asset", heading: "ASSET", cell: ({ asset }) => asset },
  {
    field: "usd",
    heading: "USD",
    cell: ({ usd }) => (usd === null ? "-" : amountOf(usd)),
    isRight: true,
  },
  {
    field: "rate",
    value: ({ rate }) => rate?.usd ?? null,
    heading: "RATE",
    cell: ({ rate }) => (rate === null ? "-" : rate.usd),
    isRight: true,
  },
  { field: "address", heading: "ADDRESS", cell: ({ address }) => address },
  ...extras<Deposit>("id", "confirmationsRequired", "transactionId", "creditedAt"),
];

export const listDeposits = command({
  words: ["deposit", "list"],
  summary: "List deposits.",
  description: [
    "The latest 100, newest first. CONFIRMING deposits are not in the balance yet. RATE is the price of one coin in USD at the time of the credit.",
  ],
  columns,
  examples: [{ line: "ironlease deposit list", meaning: "The latest deposits." }],
  run: async ({ context }) => {
    const client = await context.member();
    const answer = await client.listDeposits(context.calling);
    return listed(
      answer,
      { rows: answer.deposits, columns },
      {
        none: `No deposits yet. To get an address: ${context.suggest("ironlease deposit create ASSET")}`,
      },
    );
  },
});
