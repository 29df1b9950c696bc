import { limits } from "@ironlease/contract";
import type { Kysely } from "kysely";
import type { Core } from "#kernel/core.ts";
import { comesAfter } from "#kernel/sql/keyset.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { Schema } from "#ports/schema.ts";
import type { Asset, SettlementMode } from "#ports/settlement.ts";
import { coinAmount } from "#kernel/coin-amount.ts";

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
  /** Null until the deposit is credited. */
  readonly rate: DepositRate | null;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
  readonly state: "CONFIRMING" | "CREDITED";
  readonly seenAt: number;
  readonly creditedAt: number | null;
}

/** The rate at which a deposit was credited. */
export interface DepositRate {
  /** USD per coin, as a decimal string. */
  readonly usd: string;
  readonly at: number;
  readonly sources: readonly string[];
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
  "deposits.rate",
  "deposits.rate_at",
  "deposits.rate_sources",
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
  readonly rate: string | null;
  readonly rate_at: number | null;
  readonly rate_sources: string | null;
}

export function depositOf<Row extends DepositRow>(given: Row) {
  const { amount_units, amount_decimals, rate, rate_at, rate_sources, ...row } = given;
  return {
    ...row,
    rate: rateOf({ rate, rate_at, rate_sources }),
    asset: row.asset as Asset,
    mode: row.mode as SettlementMode,
    amount: coinAmount(BigInt(amount_units), amount_decimals),
  };
}

function rateOf({
  rate: usd,
  rate_at: at,
  rate_sources: sources,
}: Pick<DepositRow, "rate" | "rate_at" | "rate_sources">): DepositRate | null {
  if (usd === null || at === null) return null;
  // Deposits that were credited before sources were recorded have none.
  return { usd, at, sources: JSON.parse(sources ?? "[]") as readonly string[] };
}

/** The account's deposits, newest first. */
export const depositsOf = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom("deposits")
    .select([...depositColumns, "credited_confirmations"])
    .where("account_id", "=", accountId)
    .orderBy("seen_at", "desc")
    .orderBy("id", "desc");

const latest = (db: Kysely<Schema>, accountId: string) =>
  depositsOf(db, accountId).limit(limits.listLength);

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
  return rows.map(ownDepositOf);
}

type OwnDepositRow = Awaited<ReturnType<typeof selectDeposits>>[number];

/** A deposit as its owner sees it. */
export function ownDepositOf({ credited_confirmations, ...row }: OwnDepositRow): DepositRecord {
  return {
    ...depositOf(row),
    // A credited deposit had its confirmations. If the network lost it since, that is for operators to handle.
    confirmations: Math.max(row.confirmations, credited_confirmations ?? 0),
  };
}
