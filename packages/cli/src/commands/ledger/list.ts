import type { LedgerEntry } from "@ironlease/client";
import type { Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { amountOf, minuteOf, usdOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";
import { ledgerTypes } from "#vocabulary.ts";

const columns: readonly Column<LedgerEntry>[] = [
  { field: "createdAt", heading: "TIME", cell: ({ createdAt }) => minuteOf(createdAt) },
  { field: "type", heading: "TYPE", cell: ({ type }) => type },
  {
    field: "amountUsd",
    heading: "USD",
    cell: ({ amountUsd }) => signed(amountUsd),
    value: ({ amountUsd }) => amountOf(amountUsd),
    isRight: true,
  },
  {
    field: "balanceAfterUsd",
    heading: "BALANCE",
    cell: ({ balanceAfterUsd }) => amountOf(balanceAfterUsd),
    value: ({ balanceAfterUsd }) => amountOf(balanceAfterUsd),
    isRight: true,
  },
  { field: "description", heading: "DESCRIPTION", cell: ({ description }) => description },
  {
    field: "referenceKind",
    heading: "ABOUT",
    cell: ({ reference }) => reference.kind,
    value: ({ reference }) => reference.kind,
    isExtra: true,
  },
  {
    field: "referenceId",
    heading: "REFERENCE",
    cell: ({ reference }) => reference.id,
    value: ({ reference }) => reference.id,
    isExtra: true,
  },
];

/** The last id continues the list, so pages show it. CSV begins with it. */
const id: Column<LedgerEntry> = { field: "id", heading: "ID", cell: (entry) => entry.id };
const usualColumns: readonly Column<LedgerEntry>[] = [{ ...id, isExtra: true }, ...columns];

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
    csv: { meaning: "The same as --output csv." },
  },
  columns: usualColumns,
  examples: [
    { line: "ironlease ledger list", meaning: "The balance and the latest entries." },
    {
      line: "ironlease ledger list --type RENEWAL_CHARGE --from 2026-10-01 --to 2026-11-01",
      meaning: "The renewals of October.",
    },
    { line: "ironlease ledger list --csv > ledger.csv", meaning: "Export for a spreadsheet." },
  ],
  run: async ({ options: { csv: isCsv, from, to, type, reference, after }, context }) => {
    if (isCsv) context.useCsv();
    const client = await context.reader();
    const filter = { from, to, type, reference, after };
    if (Object.values(filter).every((value) => value === undefined)) {
      const ledger = await client.readLedger(context.calling);
      return listed(
        ledger,
        { rows: ledger.entries, columns: usualColumns },
        {
          above: (style) =>
            `${style.bold("Balance")} ${usdOf(ledger.balanceUsd)}, ${style.bold("held")} ${usdOf(ledger.heldUsd)}`,
        },
      );
    }
    const page = await client.listLedgerEntries(filter, context.calling);
    const list = {
      rows: page.entries,
      columns: context.format === "csv" ? usualColumns : [...columns, id],
    };
    return listed(page, list, { none: "No entries." });
  },
});

function signed(usd: number): string {
  return `${usd > 0 ? "+" : ""}${amountOf(usd)}`;
}
