import type { LedgerEntry } from "@ironlease/client";
import { command } from "#command.ts";
import { usageFailure } from "#failures/failure.ts";
import { csv } from "#output/csv.ts";
import { amountOf, minuteOf, usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table, type Column } from "#output/table.ts";
import { ledgerTypes } from "#vocabulary.ts";

export const listLedger = command({
  words: ["ledger", "list"],
  summary: "List ledger entries and the balance.",
  description: [
    "Newest first, 100 entries. Amounts change the spendable balance; the amount held for withdrawals is shown " +
      "separately. With a filter or --after, the balance is left out. Also works with an API key of scope billing.",
  ],
  options: {
    from: { value: "TIME", meaning: "Only entries since then, such as 2026-11-01." },
    to: { value: "TIME", meaning: "Only entries before then." },
    type: { value: "TYPE", choices: ledgerTypes, meaning: "Only entries of this type." },
    reference: {
      value: "ID",
      meaning: "Only entries about this server, order, deposit or withdrawal.",
    },
    after: { value: "ID", meaning: "Continue after this entry, the last of the previous page." },
    csv: { meaning: "Print all fields as CSV." },
  },
  examples: [
    { line: "ironlease ledger list", meaning: "The balance and the latest entries." },
    {
      line: "ironlease ledger list --type RENEWAL_CHARGE --from 2026-10-01 --to 2026-11-01",
      meaning: "The renewals of October.",
    },
    { line: "ironlease ledger list --csv > ledger.csv", meaning: "Export for a spreadsheet." },
  ],
  run: async ({ options: { csv: isCsv, from, to, type, reference, after }, context }) => {
    if (isCsv && context.shared.json) {
      throw usageFailure("--csv and --json cannot be combined.");
    }
    const client = await context.reader();
    const filter = { from, to, type, reference, after };
    if (Object.values(filter).every((value) => value === undefined)) {
      return output(await client.readLedger(context.calling), (shown, style) =>
        isCsv
          ? csv(csvRows(shown.entries))
          : [
              `${style.bold("Balance")} ${usdOf(shown.balanceUsd)}, ${style.bold("held")} ${usdOf(shown.heldUsd)}`,
              ...(shown.entries.length === 0 ? [] : ["", table(style, columns, shown.entries)]),
            ],
      );
    }
    const page = await client.listLedgerEntries(filter, context.calling);
    return output(page, ({ entries }, style) => {
      if (isCsv) return csv(csvRows(entries));
      return entries.length === 0 ? "No entries." : table(style, [...columns, idColumn], entries);
    });
  },
});

const columns: readonly Column<LedgerEntry>[] = [
  { heading: "TIME", cell: ({ createdAt }) => minuteOf(createdAt) },
  { heading: "TYPE", cell: ({ type }) => type },
  { heading: "USD", cell: ({ amountUsd }) => signed(amountUsd), isRight: true },
  { heading: "BALANCE", cell: ({ balanceAfterUsd }) => amountOf(balanceAfterUsd), isRight: true },
  { heading: "DESCRIPTION", cell: ({ description }) => description },
];

/** The last id continues the list. */
const idColumn: Column<LedgerEntry> = { heading: "ID", cell: ({ id }) => id };

function signed(usd: number): string {
  return `${usd > 0 ? "+" : ""}${amountOf(usd)}`;
}

function csvRows(entries: readonly LedgerEntry[]) {
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
