import {
  compareStatements,
  verifyStatement,
  type OnProgress,
  type Problem,
  type Statement,
  type StatementHead,
  type StatementKeys,
} from "@ironlease/statement";
import { client } from "#account/data/client.ts";
import type { Period } from "#account/shared/period.ts";
import { rememberedHead, rememberHead } from "./remembered-head.ts";

/** Long statements take longer than other answers. */
const patience = { timeoutMs: 300_000, deadlineMs: 300_000 } as const;

export interface VerifiedStatement {
  readonly kind: "verified";
  readonly statement: Statement;
  /** When this browser verified the ledger before. Everything up to then is unchanged. */
  readonly unchangedSince?: string;
  /** Whether the next check can compare with this one. */
  readonly isRemembered: boolean;
  /** The ledger today, if a saved file was compared with it. */
  readonly today?: StatementHead;
}

/**
 * What failed. `file`: the saved file. `account`: it belongs to another one. `ledger`: what the service sends now.
 * `rewritten`: the file and the ledger contradict each other. `forgotten`: the ledger contradicts the last check.
 */
export interface FailedVerification extends Problem {
  readonly kind: "file" | "account" | "ledger" | "rewritten" | "forgotten";
  /** When the contradicted history was signed. */
  readonly at?: string;
}

export type Verification = VerifiedStatement | FailedVerification;

export async function readStatement(period: Period): Promise<Statement> {
  // The service sends a statement only when all of its entries have a hash.
  return (await client.readStatement(period, patience)) as Statement;
}

/** Verifies what the service sends for a period, and that it continues what this browser verified before. */
export async function verifyPeriod(period: Period, onProgress: OnProgress): Promise<Verification> {
  const [keys, source] = await Promise.all([client.listStatementKeys(), readStatement(period)]);
  const verified = await verifyStatement(source, keys, onProgress);
  if (!verified.ok) return { ...problemOf(verified), kind: "ledger" };
  const { value: statement } = verified;
  const continued = await checkRemembered(statement, keys, onProgress);
  return isFailure(continued) ? continued : { kind: "verified", statement, ...continued };
}

/** Verifies a saved file, then compares it with the whole ledger of today. */
export async function verifyFile(file: Uint8Array, onProgress: OnProgress): Promise<Verification> {
  const keys = await client.listStatementKeys();
  const saved = await verifyStatement(file, keys, onProgress);
  if (!saved.ok) return { ...problemOf(saved), kind: "file" };
  const ledger = await verifyStatement(await readStatement({}), keys, onProgress);
  if (!ledger.ok) return { ...problemOf(ledger), kind: "ledger" };
  const { value: statement } = saved;
  const { head: today } = ledger.value;
  if (statement.head.account !== today.account) {
    return { kind: "account", problem: statement.head.account };
  }
  const { at } = statement.head;
  if (statement.head.count > today.count) return { ...removed(statement.head, today), at };
  const compared = compareStatements(statement, ledger.value);
  if (compared.kind !== "same") return { ...problemOf(compared), kind: "rewritten", at };
  const continued = await checkRemembered(ledger.value, keys, onProgress);
  return isFailure(continued) ? continued : { kind: "verified", statement, ...continued, today };
}

/**
 * The chain must contain the head that this browser has remembered. A statement of a period that ends earlier or starts
 * later cannot show it, so then the whole ledger is read.
 */
async function checkRemembered(
  statement: Statement,
  keys: StatementKeys,
  onProgress: OnProgress,
): Promise<Pick<VerifiedStatement, "unchangedSince" | "isRemembered"> | FailedVerification> {
  const head = rememberedHead(statement.head.account);
  if (head === undefined) return { isRemembered: rememberHead(statement.head) };
  const known = { head, entries: [] };
  let [longest, compared] = [statement, compareStatements(known, statement)];
  if (compared.kind === "apart") {
    const ledger = await verifyStatement(await readStatement({}), keys, onProgress);
    if (!ledger.ok) return { ...problemOf(ledger), kind: "ledger" };
    [longest, compared] = [ledger.value, compareStatements(known, ledger.value)];
  }
  if (compared.kind !== "same") return { kind: "forgotten", problem: "", at: head.at };
  return { unchangedSince: head.at, isRemembered: rememberHead(longest.head) };
}

function removed(saved: StatementHead, today: StatementHead) {
  return {
    kind: "rewritten",
    problem: `Your ledger had ${saved.count} entries and has ${today.count} today: entries were removed.`,
  } as const;
}

function problemOf({ problem, entry }: Problem): Problem {
  return entry === undefined ? { problem } : { problem, entry };
}

function isFailure(value: object): value is FailedVerification {
  return "kind" in value;
}
