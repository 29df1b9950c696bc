import { readWithdrawalHistory } from "@ironlease/client";
import { command } from "#command.ts";
import { amountOf, minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { table } from "#output/table.ts";

const count = 100;

export const listWithdrawals = command({
  words: ["withdrawal", "list"],
  summary: "List withdrawals and their outcome.",
  description: [
    `The latest ${count}, newest first, from the ledger. PAID has the transaction id, REJECTED the reason, and HELD has ` +
      "no outcome yet. Also works with an API key of scope billing.",
  ],
  examples: [{ line: "ironlease withdrawal list", meaning: "The latest withdrawals." }],
  run: async ({ context }) => {
    const client = await context.reader();
    const { withdrawals: latest } = await readWithdrawalHistory(client, count, context.calling);
    return output({ withdrawals: latest }, ({ withdrawals }, style) =>
      withdrawals.length === 0
        ? "No withdrawals."
        : table(
            style,
            [
              { heading: "TIME", cell: ({ requestedAt }) => minuteOf(requestedAt) },
              { heading: "USD", cell: ({ usd }) => amountOf(usd), isRight: true },
              { heading: "ASSET", cell: ({ asset }) => asset ?? "-" },
              { heading: "STATUS", cell: ({ status }) => stateIn(style, status) },
              {
                heading: "OUTCOME",
                cell: ({ transactionId, reason }) => transactionId ?? reason ?? "-",
              },
              { heading: "ID", cell: ({ id }) => id },
            ],
            withdrawals,
          ),
    );
  },
});
