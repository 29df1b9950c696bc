import { readCsv } from "@ironlease/csv";
import type { Statement, StatementEntry } from "./statement.ts";

const columns = [
  "record",
  "id",
  "createdAt",
  "type",
  "amountUsd",
  "balanceAfterUsd",
  "description",
  "referenceKind",
  "referenceId",
  "previousHash",
  "hash",
  "account",
  "count",
  "keyId",
  "signature",
] as const;

type Cells = Partial<Record<(typeof columns)[number], string>>;

export const csvHeadings = `${columns.join(",")}\r\n`;

export function csvOpening({
  openingBalanceUsd,
  previousHash,
}: Pick<Statement, "openingBalanceUsd" | "previousHash">): string {
  return row({
    record: "OPENING",
    balanceAfterUsd: String(openingBalanceUsd),
    hash: previousHash ?? "",
  });
}

export function csvEntry(entry: StatementEntry): string {
  return row({
    record: "ENTRY",
    id: text(entry.id),
    createdAt: entry.createdAt,
    type: entry.type,
    amountUsd: String(entry.amountUsd),
    balanceAfterUsd: String(entry.balanceAfterUsd),
    description: text(entry.description),
    referenceKind: text(entry.reference.kind),
    referenceId: text(entry.reference.id),
    previousHash: entry.previousHash ?? "",
    hash: entry.hash,
  });
}

export function csvClosing({
  closingBalanceUsd,
  head,
  signature,
}: Pick<Statement, "closingBalanceUsd" | "head" | "signature">): string {
  return row({
    record: "CLOSING",
    createdAt: head.at,
    balanceAfterUsd: String(closingBalanceUsd),
    hash: head.hash ?? "",
    account: head.account,
    count: String(head.count),
    keyId: signature.keyId,
    // A signature may start with a hyphen, which a spreadsheet would take for a formula.
    signature: text(signature.value),
  });
}

/** Reads a statement that `csvStatement` wrote. Lenient: the caller writes it again and compares. */
export function parseStatementCsv(source: string): Statement | undefined {
  const read = readCsv(source);
  if (!read.ok) return undefined;
  const [, ...records] = read.rows.map(({ cells }) => recordOf(cells));
  const opening = records[0];
  const closing = records.at(-1);
  if (opening === undefined || closing === undefined) return undefined;
  return {
    openingBalanceUsd: Number(opening.balanceAfterUsd),
    closingBalanceUsd: Number(closing.balanceAfterUsd),
    previousHash: orNull(opening.hash),
    entries: records.slice(1, -1).map(entryOf),
    head: {
      account: closing.account,
      hash: orNull(closing.hash),
      count: Number(closing.count),
      at: closing.createdAt,
    },
    signature: { keyId: closing.keyId, value: untext(closing.signature) },
  };
}

type CsvRecord = Readonly<Record<(typeof columns)[number], string>>;

function recordOf(cells: readonly string[]): CsvRecord {
  return Object.fromEntries(
    columns.map((name, index) => [name, cells[index] ?? ""]),
  ) as unknown as CsvRecord;
}

function entryOf(record: CsvRecord): StatementEntry {
  return {
    id: untext(record.id),
    createdAt: record.createdAt,
    type: record.type,
    amountUsd: Number(record.amountUsd),
    balanceAfterUsd: Number(record.balanceAfterUsd),
    description: untext(record.description),
    reference: { kind: untext(record.referenceKind), id: untext(record.referenceId) },
    previousHash: orNull(record.previousHash),
    hash: record.hash,
  };
}

function row(cells: Cells): string {
  return `${columns.map((name) => cells[name] ?? "").join(",")}\r\n`;
}

/** Quotes where necessary, and marks text that a spreadsheet would run as a formula with an apostrophe. */
function text(value: string): string {
  const marked = /^['=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",;\r\n]|^\s|\s$/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked;
}

function untext(cell: string): string {
  return cell.startsWith("'") ? cell.slice(1) : cell;
}

function orNull(cell: string): string | null {
  return cell === "" ? null : cell;
}
