import { limits } from "@ironlease/contract";
import type { Kysely } from "kysely";
import type { Core } from "#kernel/core.ts";
import { comesAfter } from "#kernel/sql/keyset.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { Schema } from "#ports/schema.ts";
import type { Asset, SettlementMode } from "#ports/settlement.ts";
import { coinAmount } from "./coin-amount.ts";

export interface DepositRecord {
  readonly id: string;
  readonly asset: Asset;
  readonly network: string;
  readonly mode: SettlementMode;
  readonly address: string;
  readonly transactionId: string;
  /** A decimal string at the asset's full precision. */
  readonly amount: string;
  readonly usdCents: number | null;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
  readonly state: "CONFIRMING" | "CREDITED";
  readonly seenAt: number;
  readonly creditedAt: number | null;
}

/** The columns of `DepositRecord`. */
export const depositColumns = [
  "deposits.id",
  "deposits.asset",
  "deposits.network",
  "deposits.mode",
  "deposits.address",
  "deposits.transaction_id as transactionId",
  "deposits.amount_units",
  "deposits.amount_decimals",
  "deposits.usd_cents as usdCents",
  "deposits.confirmations",
  "deposits.confirmations_required as confirmationsRequired",
  "deposits.state",
  "deposits.seen_at as seenAt",
  "deposits.credited_at as creditedAt",
] as const;

interface DepositRow {
  readonly asset: string;
  readonly mode: string;
  readonly amount_units: string;
  readonly amount_decimals: number;
}

export function depositOf<Row extends DepositRow>({ amount_units, amount_decimals, ...row }: Row) {
  return {
    ...row,
    asset: row.asset as Asset,
    mode: row.mode as SettlementMode,
    amount: coinAmount(BigInt(amount_units), amount_decimals),
  };
}

const latest = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom("deposits")
    .select([...depositColumns, "credited_confirmations"])
    .where("account_id", "=", accountId)
    .orderBy("seen_at", "desc")
    .orderBy("id", "desc")
    .limit(limits.listLength);

const selectDeposits = prepared(["accountId"], (db, { accountId }: { accountId: string }) =>
  latest(db, accountId),
);
const selectNext = prepared(
  ["accountId", "after"],
  (db, start: { accountId: string; after: string }) =>
    latest(db, start.accountId).where(comesAfter("deposits", "seen_at", start)),
);

/** A page of the account's deposits, newest first. */
export async function listDeposits(
  { db: { read } }: Core,
  accountId: string,
  after?: string,
): Promise<readonly DepositRecord[]> {
  const rows =
    after === undefined
      ? await selectDeposits(read, { accountId })
      : await selectNext(read, { accountId, after });
  return rows.map(({ credited_confirmations, ...row }) => ({
    ...depositOf(row),
    // A credited deposit had its confirmations. If the network lost it since, that is for operators to handle.
    confirmations: Math.max(row.confirmations, credited_confirmations ?? 0),
  }));
}
