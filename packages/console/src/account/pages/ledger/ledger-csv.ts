import type { LedgerEntry } from "@ironlease/client";

const columns: readonly (readonly [string, (entry: LedgerEntry) => string])[] = [
  ["time_utc", ({ createdAt }) => createdAt],
  ["type", ({ type }) => type],
  ["description", ({ description }) => text(description)],
  ["amount_usd", ({ amountUsd }) => amountUsd.toFixed(2)],
  ["balance_after_usd", ({ balanceAfterUsd }) => balanceAfterUsd.toFixed(2)],
  ["reference_kind", ({ reference }) => text(reference.kind)],
  ["reference_id", ({ reference }) => text(reference.id)],
  ["entry_id", ({ id }) => text(id)],
];

/** RFC 4180, amounts with two decimals. */
export function ledgerCsv(entries: readonly LedgerEntry[]): string {
  const rows = [
    columns.map(([name]) => name),
    ...entries.map((entry) => columns.map(([, cell]) => cell(entry))),
  ];
  return rows.map((row) => `${row.join(",")}\r\n`).join("");
}

/** Quotes where necessary, and prefixes text that a spreadsheet would run as a formula. */
function text(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
