import type { ReadLedgerAnswer } from "@ironlease/client";
import { command } from "#command.ts";
import { usageFailure } from "#failures/failure.ts";
import { csv } from "#output/csv.ts";
import { amountOf, minuteOf, usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listLedger = command({
  words: ["ledger", "list"],
  summary: "List ledger entries and the balance.",
  description: [
    "The latest 100 entries, newest first. Amounts change the spendable balance; the amount held for " +
      "withdrawals is shown separately. Also works with an API key of scope billing.",
  ],
  options: { csv: { meaning: "Print all fields as CSV." } },
  examples: [
    { line: "ironlease ledger list", meaning: "The balance and the latest entries." },
    { line: "ironlease ledger list --csv > ledger.csv", meaning: "Export for a spreadsheet." },
  ],
  run: async ({ options, context }) => {
    if (options.csv && context.shared.json) {
      throw usageFailure("--csv and --json cannot be combined.");
    }
    const client = await context.reader();
    return output(await client.readLedger(context.calling), (shown, style) =>
      options.csv
        ? csv(csvRows(shown))
        : [
            `${style.bold("Balance")} ${usdOf(shown.balanceUsd)}, ${style.bold("held")} ${usdOf(shown.heldUsd)}`,
            ...(shown.entries.length === 0 ? [] : [""]),
            ...(shown.entries.length === 0
              ? []
              : [
                  table(
                    style,
                    [
                      { heading: "TIME", cell: ({ createdAt }) => minuteOf(createdAt) },
                      { heading: "TYPE", cell: ({ type }) => type },
                      {
                        heading: "USD",
                        cell: ({ amountUsd }) => signed(amountUsd),
                        isRight: true,
                      },
                      {
                        heading: "BALANCE",
                        cell: ({ balanceAfterUsd }) => amountOf(balanceAfterUsd),
                        isRight: true,
                      },
                      { heading: "DESCRIPTION", cell: ({ description }) => description },
                    ],
                    shown.entries,
                  ),
                ]),
          ],
    );
  },
});

function signed(usd: number): string {
  return `${usd > 0 ? "+" : ""}${amountOf(usd)}`;
}

function csvRows({ entries }: ReadLedgerAnswer) {
  const headings = ["id", "createdAt", "type", "amountUsd", "balanceAfterUsd", "description"];
  return [
    [...headings, "referenceKind", "referenceId"],
    ...entries.map((entry) => [
      ...[entry.id, entry.createdAt, entry.type, amountOf(entry.amountUsd)],
      ...[amountOf(entry.balanceAfterUsd), entry.description],
      ...[entry.reference.kind, entry.reference.id],
    ]),
  ];
}
