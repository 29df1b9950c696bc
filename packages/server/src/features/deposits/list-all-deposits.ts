import { limits } from "@ironlease/contract";
import { coinAmount } from "#kernel/coin-amount.ts";
import type { Core } from "#kernel/core.ts";
import { depositColumns, depositOf, type DepositRecord } from "./list-deposits.ts";

export interface DepositFilter {
  readonly state?: DepositRecord["state"] | undefined;
  /** An exact address, transaction id or account id. */
  readonly query?: string | undefined;
  /** The last id of the previous page. */
  readonly after?: string | undefined;
}

/** A deposit as operators see it, with its account and current confirmations. */
export interface DeskDeposit extends DepositRecord {
  readonly accountId: string;
  readonly username: string;
}

/** A page of all deposits, newest first. */
export async function listAllDeposits(
  { db }: Core,
  { state, query, after }: DepositFilter,
): Promise<readonly DeskDeposit[]> {
  let deposits = selectDeposits(db).orderBy("deposits.id", "desc");
  if (state !== undefined) deposits = deposits.where("deposits.state", "=", state);
  if (after !== undefined && after !== "") deposits = deposits.where("deposits.id", "<", after);
  const wanted = query?.trim() ?? "";
  if (wanted !== "") {
    deposits = deposits.where((eb) =>
      eb.or([
        eb("deposits.address", "=", wanted),
        eb("deposits.transaction_id", "=", wanted),
        eb("deposits.account_id", "=", wanted),
      ]),
    );
  }
  return (await deposits.execute()).map(depositOf);
}

const selectDeposits = ({ read }: Core["db"]) =>
  read
    .selectFrom("deposits")
    .innerJoin("accounts", "accounts.id", "deposits.account_id")
    .select(depositColumns)
    .select(["deposits.account_id as accountId", "accounts.username"])
    .limit(limits.listLength);

/** Deposits that have their confirmations and are not credited, oldest first. Usually a rate is missing. */
export async function listWaitingDeposits({
  db,
  settlement,
}: Core): Promise<readonly DeskDeposit[]> {
  if (settlement === undefined) return [];
  const waiting = selectDeposits(db)
    .where("deposits.state", "=", "CONFIRMING")
    .whereRef("deposits.confirmations", ">=", "deposits.confirmations_required")
    .orderBy("deposits.id");
  return (await waiting.execute()).map(depositOf);
}

/** A credited deposit that no longer has its confirmations. */
export interface LostDeposit extends DeskDeposit {
  readonly lostAt: number;
}

/** The deposits that were lost last. */
export async function listLostDeposits({ db, settlement }: Core): Promise<readonly LostDeposit[]> {
  if (settlement === undefined) return [];
  const lost = selectDeposits(db)
    .select("deposits.lost_at as lostAt")
    .where("deposits.lost_at", "is not", null)
    .orderBy("deposits.lost_at", "desc")
    .$narrowType<{ readonly lostAt: number }>();
  return (await lost.execute()).map(depositOf);
}

/** The latest credits to closed accounts that still have money. */
export async function listLateDeposits({ db }: Core) {
  const rows = await db.read
    .selectFrom("accounts")
    .innerJoin("balances", "balances.account_id", "accounts.id")
    .innerJoin("deposits", "deposits.account_id", "accounts.id")
    .select(["deposits.id", "deposits.network", "deposits.transaction_id as transactionId"])
    .select(["deposits.asset", "deposits.amount_units", "deposits.amount_decimals"])
    .select(["deposits.usd_cents as usdCents", "deposits.credited_at as creditedAt"])
    .select("deposits.account_id as accountId")
    .where("accounts.closed_at", "is not", null)
    .where("balances.available_cents", ">", 0)
    .whereRef("deposits.credited_at", ">=", "accounts.closed_at")
    .orderBy("accounts.id", "desc")
    .orderBy("deposits.seen_at", "desc")
    .limit(limits.listLength)
    .execute();
  return rows.map(({ amount_units, amount_decimals, usdCents, creditedAt, ...deposit }) => ({
    ...deposit,
    amount: coinAmount(BigInt(amount_units), amount_decimals),
    usdCents: usdCents ?? 0,
    creditedAt: creditedAt ?? 0,
  }));
}
