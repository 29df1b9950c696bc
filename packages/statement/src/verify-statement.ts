import { canonicalJson, type Json } from "./canonical-json.ts";
import { sha256, signatureProblem } from "./crypto.ts";
import { parseStatementCsv } from "./statement-csv.ts";
import type { Statement, StatementEntry, StatementKeys } from "./statement.ts";
import { bad, fits, parseJson, textOf, type Verified } from "./verified.ts";

/**
 * Verifies a statement as it was downloaded, JSON or CSV: that nothing in the file was changed, that each entry is
 * chained to the one before it, that the amounts lead from the opening to the closing balance, and that the service has
 * signed the last hash.
 */
export async function verifyStatement(
  file: Uint8Array,
  keys: StatementKeys,
): Promise<Verified<Statement>> {
  const statement = parse(file);
  if (statement === undefined) {
    return bad("The file is not a statement, or it was changed after it was downloaded.");
  }
  const problem =
    (await chainProblem(statement)) ??
    balanceProblem(statement) ??
    headProblem(statement) ??
    (await signatureProblem(statement.head as unknown as Json, statement.signature, keys));
  return problem === undefined ? { ok: true, value: statement } : bad(problem);
}

/** Strict: a statement has one form only, so that no byte of the file can change unnoticed. */
function parse(file: Uint8Array): Statement | undefined {
  const text = textOf(file);
  if (text === undefined) return undefined;
  const statement = text.startsWith("record,")
    ? parseStatementCsv(text)
    : (parseJson(text) as Statement | undefined);
  return statement !== undefined && isStatement(statement) ? statement : undefined;
}

const shapes = {
  statement: {
    openingBalanceUsd: "number",
    closingBalanceUsd: "number",
    previousHash: "string?",
    entries: "object",
    head: "object",
    signature: "object",
  },
  entry: {
    id: "string",
    createdAt: "string",
    type: "string",
    amountUsd: "number",
    balanceAfterUsd: "number",
    description: "string",
    reference: "object",
    previousHash: "string?",
    hash: "string",
  },
  reference: { kind: "string", id: "string" },
  head: { account: "string", hash: "string?", count: "number", at: "string" },
  signature: { keyId: "string", value: "string" },
} as const;

function isStatement(value: Statement): boolean {
  return (
    fits(value, shapes.statement) &&
    fits(value.head, shapes.head) &&
    fits(value.signature, shapes.signature) &&
    Array.isArray(value.entries) &&
    value.entries.every(isEntry)
  );
}

function isEntry(entry: StatementEntry): boolean {
  return fits(entry, shapes.entry) && fits(entry.reference, shapes.reference);
}

async function chainProblem({ entries, previousHash }: Statement): Promise<string | undefined> {
  let previous = previousHash;
  for (const entry of entries) {
    if (entry.previousHash !== previous) {
      return `The entry ${entry.id} does not follow the entry before it: an entry was removed, inserted or moved.`;
    }
    if ((await hashOf(entry)) !== entry.hash) {
      return `The entry ${entry.id} does not match its hash: it was changed.`;
    }
    previous = entry.hash;
  }
  return undefined;
}

function hashOf(entry: StatementEntry): Promise<string> {
  const { hash: _, ...hashed } = entry;
  return sha256(canonicalJson(hashed));
}

function balanceProblem(statement: Statement): string | undefined {
  let cents = centsOf(statement.openingBalanceUsd);
  for (const { id, amountUsd, balanceAfterUsd } of statement.entries) {
    cents += centsOf(amountUsd);
    if (cents !== centsOf(balanceAfterUsd)) {
      return `The balance after the entry ${id} does not follow from its amount.`;
    }
  }
  return cents === centsOf(statement.closingBalanceUsd)
    ? undefined
    : "The entries do not lead from the opening to the closing balance.";
}

function centsOf(usd: number): number {
  return Math.round(usd * 100);
}

function headProblem({ entries, previousHash, head }: Statement): string | undefined {
  if (head.hash !== (entries.at(-1)?.hash ?? previousHash)) {
    return "The signed head is not the last entry: entries were removed or added at the end.";
  }
  const before = head.count - entries.length;
  return before < 0 || (before === 0) !== (previousHash === null)
    ? "The signed head counts another number of entries."
    : undefined;
}
