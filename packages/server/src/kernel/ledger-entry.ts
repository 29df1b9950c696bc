import { hash } from "node:crypto";
import { usdFromCents } from "@ironlease/contract";
import { canonicalJson } from "@ironlease/statement";
import type { JournalType } from "#ports/schema.ts";
import { isoTime } from "./iso-time.ts";

/** A journal row as its customer sees it. */
export interface LedgerEntry {
  readonly id: string;
  readonly createdAt: number;
  readonly type: JournalType;
  readonly amountCents: number;
  readonly balanceAfterCents: number;
  readonly description: string;
  readonly referenceKind: string;
  readonly referenceId: string;
  /** The hash of the entry before it; null on the first. */
  readonly previousHash: string | null;
}

/** The columns of a journal row that make its entry, except the hash before it. */
export const entryColumns = [
  "id",
  "created_at as createdAt",
  "type",
  "change_cents as amountCents",
  "balance_after_cents as balanceAfterCents",
  "description",
  "reference_kind as referenceKind",
  "reference_id as referenceId",
] as const;

/** The journal names the movement, the ledger what it means to the customer. */
function ledgerType(type: JournalType): LedgerType {
  return type === "WITHDRAWAL_PAYOUT" ? "WITHDRAWAL_PAID" : type;
}

export type LedgerType = Exclude<JournalType, "WITHDRAWAL_PAYOUT"> | "WITHDRAWAL_PAID";

export function journalType(type: LedgerType): JournalType {
  return type === "WITHDRAWAL_PAID" ? "WITHDRAWAL_PAYOUT" : type;
}

/** The entry in API answers and statements, without its own hash. */
export function entryOnWire(entry: LedgerEntry) {
  return {
    id: entry.id,
    createdAt: isoTime(entry.createdAt),
    type: ledgerType(entry.type),
    amountUsd: usdFromCents(entry.amountCents),
    balanceAfterUsd: usdFromCents(entry.balanceAfterCents),
    description: entry.description,
    reference: { kind: entry.referenceKind, id: entry.referenceId },
    previousHash: entry.previousHash,
  };
}

/** SHA-256 over what the customer reads, so that the customer can compute it too. */
export function hashEntry(entry: LedgerEntry): string {
  return hash("sha256", canonicalJson(entryOnWire(entry)));
}
