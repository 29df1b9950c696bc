import type { LedgerEntry } from "@ironlease/client";
import { csvRow, escapeFormula } from "@ironlease/csv";

const columns: readonly (readonly [string, (entry: LedgerEntry) => string])[] = [
  ["time_utc", ({ createdAt }) => createdAt],
  ["type", ({ type }) => type],
  ["description", ({ description }) => escapeFormula(description)],
  ["amount_usd", ({ amountUsd }) => amountUsd.toFixed(2)],
  ["balance_after_usd", ({ balanceAfterUsd }) => balanceAfterUsd.toFixed(2)],
  ["reference_kind", ({ reference }) => escapeFormula(reference.kind)],
  ["reference_id", ({ reference }) => escapeFormula(reference.id)],
  ["entry_id", ({ id }) => escapeFormula(id)],
];

/** RFC 4180, amounts with two decimals. */
export function ledgerCsv(entries: readonly LedgerEntry[]): string {
  const rows = [
    columns.map(([name]) => name),
    ...entries.map((entry) => columns.map(([, cell]) => cell(entry))),
  ];
  return rows.map((row) => `${csvRow(row)}\r\n`).join("");
}
