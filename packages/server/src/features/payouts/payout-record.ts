import type { Kysely } from "kysely";
import { coinAmount } from "#kernel/coin-amount.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { PayoutFormat } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import type { PayoutState, Schema } from "#ports/schema.ts";
import type { Asset } from "#ports/settlement.ts";

/** A payout as operators see it. */
export interface PayoutRecord {
  readonly id: string;
  readonly state: PayoutState;
  readonly createdAt: number;
  readonly asset: Asset;
  readonly network: string;
  readonly format: PayoutFormat;
  /** In whole coins, as are the other amounts. */
  readonly amount: string;
  readonly cents: number;
  readonly fee: string;
  readonly feeAsset: Asset;
  readonly rate: string;
  readonly expiresAt: number | null;
  readonly preparedBy: string;
  readonly signedBy: string | null;
  readonly broadcastBy: string | null;
  readonly broadcastAt: number | null;
  readonly transactionId: string | null;
  readonly from: string | null;
  readonly confirmations: number;
  readonly confirmationsRequired: number;
  readonly endedAt: number | null;
  readonly error: string | null;
  /** The latest transaction, to be signed. */
  readonly unsigned: string;
  /** A replacement with a higher fee that was not sent yet. */
  readonly bump: { readonly fee: string; readonly isSigned: boolean } | null;
  readonly withdrawals: readonly PaidWithdrawal[];
}

export interface PaidWithdrawal {
  readonly withdrawalId: string;
  readonly workId: string;
  readonly accountId: string;
  readonly username: string;
  readonly destination: string;
  readonly cents: number;
  readonly amount: string;
}

export function selectPayouts(db: Kysely<Schema>) {
  return db
    .selectFrom("payouts")
    .innerJoin("operators as preparer", "preparer.id", "payouts.prepared_by")
    .leftJoin("operators as signer", "signer.id", "payouts.signed_by")
    .leftJoin("operators as broadcaster", "broadcaster.id", "payouts.broadcast_by")
    .selectAll("payouts")
    .select([
      "preparer.username as preparedBy",
      "signer.username as signedBy",
      "broadcaster.username as broadcastBy",
    ]);
}

type PayoutRow = Awaited<ReturnType<ReturnType<typeof selectPayouts>["executeTakeFirstOrThrow"]>>;

export async function readPayout(
  db: Kysely<Schema>,
  payoutId: string,
): Promise<Result<PayoutRecord>> {
  const row = await selectPayouts(db).where("payouts.id", "=", payoutId).executeTakeFirst();
  if (row === undefined) return refuseUnknown();
  const [record] = await toRecords(db, [row]);
  if (record === undefined) throw new Error(`the payout ${payoutId} has no transaction`);
  return ok(record);
}

/** Reads the parts of all payouts at once. */
export async function toRecords(
  db: Kysely<Schema>,
  rows: readonly PayoutRow[],
): Promise<readonly PayoutRecord[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const attempts = await db
    .selectFrom("payout_transactions")
    .selectAll()
    .where("payout_id", "in", ids)
    .orderBy("attempt")
    .execute();
  const withdrawals = await db
    .selectFrom("payout_withdrawals as p")
    .innerJoin("withdrawals as w", "w.id", "p.withdrawal_id")
    .innerJoin("accounts as a", "a.id", "w.account_id")
    .select([
      "p.payout_id as payoutId",
      "p.position",
      "p.withdrawal_id as withdrawalId",
      "p.work_id as workId",
      "w.account_id as accountId",
      "a.username",
      "p.destination",
      "p.cents",
      "p.amount_units as amountUnits",
    ])
    .where("p.payout_id", "in", ids)
    .execute();
  return rows.flatMap((row) => {
    const tries = attempts.filter(({ payout_id: id }) => id === row.id);
    const last = tries.at(-1);
    if (last === undefined) return [];
    const sent = tries.findLast(({ sent_at: at }) => at !== null) ?? tries[0] ?? last;
    const feeOf = (units: string) => coinAmount(BigInt(units), row.fee_decimals);
    const own = withdrawals
      .filter(({ payoutId }) => payoutId === row.id)
      .toSorted((a, b) => a.position - b.position);
    const sum = own.reduce((total, { amountUnits }) => total + BigInt(amountUnits), 0n);
    const paid = own.map((withdrawal) => ({
      withdrawalId: withdrawal.withdrawalId,
      workId: withdrawal.workId,
      accountId: withdrawal.accountId,
      username: withdrawal.username,
      destination: withdrawal.destination,
      cents: withdrawal.cents,
      amount: coinAmount(BigInt(withdrawal.amountUnits), row.amount_decimals),
    }));
    const record: PayoutRecord = {
      id: row.id,
      state: row.state,
      createdAt: row.created_at,
      asset: row.asset as Asset,
      network: row.network,
      format: row.format,
      amount: coinAmount(sum, row.amount_decimals),
      cents: row.cents,
      fee: feeOf(sent.fee_units),
      feeAsset: row.fee_asset as Asset,
      rate: row.rate,
      expiresAt: row.state === "PREPARED" ? row.expires_at : null,
      preparedBy: row.preparedBy,
      signedBy: row.signedBy,
      broadcastBy: row.broadcastBy,
      broadcastAt: row.broadcast_at,
      transactionId: row.transaction_id,
      from: last.from_address,
      confirmations: row.confirmations,
      confirmationsRequired: row.confirmations_required,
      endedAt: row.ended_at,
      error: row.error,
      unsigned: last.unsigned,
      bump:
        last.attempt > 1 && last.sent_at === null && row.state === "BROADCAST"
          ? { fee: feeOf(last.fee_units), isSigned: last.raw !== null }
          : null,
      withdrawals: paid,
    };
    return [record];
  });
}

export function refuseUnknown(): Result<never> {
  return refuse("not_found", { message: "Payout not found. Check the id." });
}

/** What a payout in this state cannot do any more. */
export function refuseState(state: PayoutState, wanted: string): Result<never> {
  return refuse("conflict", { message: `This payout is ${state}. ${wanted}` });
}
