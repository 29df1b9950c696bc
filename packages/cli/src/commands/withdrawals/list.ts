import { readWithdrawalHistory, type WithdrawalInLedger } from "@ironlease/client";
import { extras, type Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { amountOf, minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";
import { stateIn } from "#output/state.ts";

const count = 100;

const columns: readonly Column<WithdrawalInLedger>[] = [
  { field: "requestedAt", heading: "TIME", cell: ({ requestedAt }) => minuteOf(requestedAt) },
  { field: "usd", heading: "USD", cell: ({ usd }) => amountOf(usd), isRight: true },
  { field: "asset", heading: "ASSET", cell: ({ asset }) => asset ?? "-" },
  { field: "status", heading: "STATUS", cell: ({ status }, style) => stateIn(style, status) },
  {
    field: "outcome",
    value: ({ transactionId, reason }) => transactionId ?? reason ?? null,
    heading: "OUTCOME",
    cell: ({ transactionId, reason }) => transactionId ?? reason ?? "-",
  },
  { field: "id", heading: "ID", cell: ({ id }) => id },
  ...extras<WithdrawalInLedger>("transactionId", "reason", "resolvedAt"),
];

export const listWithdrawals = command({
  words: ["withdrawal", "list"],
  summary: "List withdrawals and their outcome.",
  description: [
    `The latest ${count}, newest first, from the ledger. PAID has the transaction id, REJECTED the reason, and HELD has ` +
      "no outcome yet. Also works with an API key of scope billing.",
  ],
  columns,
  examples: [{ line: "ironlease withdrawal list", meaning: "The latest withdrawals." }],
  run: async ({ context }) => {
    const client = await context.reader();
    const { withdrawals: latest } = await readWithdrawalHistory(client, count, context.calling);
    const answer = { withdrawals: latest };
    return listed(answer, { rows: answer.withdrawals, columns }, { none: "No withdrawals." });
  },
});
