import { canonicalJson, type Json } from "./canonical-json.ts";
import { sha256, signatureProblem } from "./crypto.ts";
import { parseStatementCsv } from "./statement-csv.ts";
import type { Statement, StatementEntry, StatementKeys } from "./statement.ts";
import { bad, fits, textOf, type Problem, type Verified } from "./verified.ts";
import { csvStatement, jsonStatement } from "./write-statement.ts";

/** Called between pages of entries. A browser waits here, so that a long statement does not block its page. */
export type OnProgress = (checked: number, total: number) => Promise<void> | void;

const entriesPerPage = 250;

/**
 * Verifies a statement, JSON or CSV, as it was downloaded, or one that was parsed already: that nothing in the file was
 * changed, that each entry is chained to the one before it, that the amounts lead from the opening to the closing
 * balance, and that the service has signed the last hash.
 */
export async function verifyStatement(
  source: Uint8Array | Statement,
  keys: StatementKeys,
  onProgress: OnProgress = () => undefined,
): Promise<Verified<Statement>> {
  const statement =
    source instanceof Uint8Array
      ? await parse(source, onProgress)
      : await checked(source, onProgress);
  if (statement === undefined) {
    return bad("The file is not a statement, or it was changed after it was downloaded.");
  }
  const problem =
    (await chainProblem(statement, onProgress)) ??
    balanceProblem(statement) ??
    headProblem(statement) ??
    (await signatureProblem(statement.head as unknown as Json, statement.signature, keys));
  if (problem === undefined) return { ok: true, value: statement };
  return typeof problem === "string" ? bad(problem) : { ok: false, ...problem };
}

/** Strict: a statement has one form only, so that no byte of the file can change unnoticed. */
async function parse(file: Uint8Array, onProgress: OnProgress): Promise<Statement | undefined> {
  const text = textOf(file);
  if (text === undefined) return undefined;
  const isCsv = text.startsWith("record,");
  const value = isCsv ? parseStatementCsv(text) : readJson(text);
  const statement = await checked(value, onProgress);
  if (statement === undefined) return undefined;
  const write = isCsv ? csvStatement : jsonStatement;
  const { entries, ...frame } = statement;
  let position = 0;
  for await (const chunk of write(frame, pagesOf(entries, onProgress))) {
    if (!text.startsWith(chunk, position)) return undefined;
    position += chunk.length;
  }
  return position === text.length ? statement : undefined;
}

async function* pagesOf(
  entries: readonly StatementEntry[],
  onProgress: OnProgress,
): AsyncGenerator<readonly StatementEntry[]> {
  for (let index = 0; index < entries.length; index += entriesPerPage) {
    await onProgress(0, entries.length);
    yield entries.slice(index, index + entriesPerPage);
  }
}

/** Not yet known to be canonical. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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

/** Undefined if the value is not a statement, or has members that a statement does not have. */
async function checked(value: unknown, onProgress: OnProgress): Promise<Statement | undefined> {
  if (!fits(value, shapes.statement)) return undefined;
  const statement = value as Statement;
  const isFrame =
    fits(statement.head, shapes.head) &&
    fits(statement.signature, shapes.signature) &&
    Array.isArray(statement.entries);
  if (!isFrame) return undefined;
  for await (const page of pagesOf(statement.entries, onProgress)) {
    if (!page.every(isEntry)) return undefined;
  }
  return statement;
}

function isEntry(entry: StatementEntry): boolean {
  return fits(entry, shapes.entry) && fits(entry.reference, shapes.reference);
}

async function chainProblem(
  { entries, previousHash }: Statement,
  onProgress: OnProgress,
): Promise<Problem | undefined> {
  let previous = previousHash;
  for (const [index, entry] of entries.entries()) {
    if (index % entriesPerPage === 0) await onProgress(index, entries.length);
    if (entry.previousHash !== previous) {
      const problem = `The entry ${entry.id} does not follow the entry before it: an entry was removed, inserted or moved.`;
      return { problem, entry };
    }
    if ((await hashOf(entry)) !== entry.hash) {
      return { problem: `The entry ${entry.id} does not match its hash: it was changed.`, entry };
    }
    previous = entry.hash;
  }
  return undefined;
}

function hashOf(entry: StatementEntry): Promise<string> {
  const { hash: _, ...hashed } = entry;
  return sha256(canonicalJson(hashed));
}

function balanceProblem(statement: Statement): Problem | string | undefined {
  let cents = centsOf(statement.openingBalanceUsd);
  for (const entry of statement.entries) {
    cents += centsOf(entry.amountUsd);
    if (cents !== centsOf(entry.balanceAfterUsd)) {
      const problem = `The balance after the entry ${entry.id} does not follow from its amount.`;
      return { problem, entry };
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
