import type { Kysely } from "kysely";
import type { Tx } from "#ports/db.ts";
import type { PayoutOrder, PreparedPayout } from "#ports/payouts.ts";
import type { Schema } from "#ports/schema.ts";
import type { Asset } from "#ports/settlement.ts";

/** One transaction of a payout as it is stored. */
export interface StoredTransaction extends PreparedPayout {
  readonly attempt: number;
  readonly raw: string | null;
  readonly sentAt: number | null;
  readonly block: { readonly height: number; readonly hash: string } | undefined;
  readonly searchedHeight: number | undefined;
}

/** All transactions of a payout, oldest first. There are few: one, and one per raised fee. */
export async function transactionsOf(
  db: Kysely<Schema>,
  payout: { readonly id: string; readonly fee_asset: string },
): Promise<readonly StoredTransaction[]> {
  const [rows, pins] = await Promise.all([
    db
      .selectFrom("payout_transactions")
      .selectAll()
      .where("payout_id", "=", payout.id)
      .orderBy("attempt")
      .execute(),
    db
      .selectFrom("payout_pins")
      .select("pin")
      .where("payout_id", "=", payout.id)
      .orderBy("pin")
      .execute(),
  ]);
  return rows.map((row) => ({
    attempt: row.attempt,
    unsigned: row.unsigned,
    pins: pins.map(({ pin }) => pin),
    feeUnits: BigInt(row.fee_units),
    feeAsset: payout.fee_asset as Asset,
    raw: row.raw,
    sentAt: row.sent_at,
    ...(row.transaction_id !== null && { transactionId: row.transaction_id }),
    ...(row.from_address !== null && { from: row.from_address }),
    ...(row.change_index !== null && {
      change: {
        index: row.change_index,
        outputIndex: row.change_output ?? 0,
        amountUnits: BigInt(row.change_units ?? 0),
      },
    }),
    block:
      row.block_height === null || row.block_hash === null
        ? undefined
        : { height: row.block_height, hash: row.block_hash },
    searchedHeight: row.searched_height ?? undefined,
  }));
}

/** Stores an unsigned transaction before it is handed out. */
export async function addTransaction(
  tx: Tx,
  payoutId: string,
  attempt: number,
  { unsigned, feeUnits, transactionId, from, change }: PreparedPayout,
): Promise<void> {
  await tx
    .insertInto("payout_transactions")
    .values({
      payout_id: payoutId,
      attempt,
      unsigned,
      fee_units: String(feeUnits),
      transaction_id: transactionId ?? null,
      from_address: from ?? null,
      raw: null,
      change_index: change?.index ?? null,
      change_output: change?.outputIndex ?? null,
      change_units: change === undefined ? null : String(change.amountUnits),
      sent_at: null,
      block_height: null,
      block_hash: null,
      searched_height: null,
    })
    .execute();
}

/** Pins what a payout spends. False when another payout has pinned it. */
export async function addPins(
  tx: Tx,
  payout: { readonly id: string; readonly network: string },
  pins: readonly string[],
): Promise<boolean> {
  if (pins.length === 0) return true;
  const rows = pins.map((pin) => ({ network: payout.network, pin, payout_id: payout.id }));
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("payout_pins")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["network", "pin"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === BigInt(rows.length);
}

/** What the transactions of a payout must pay. */
export async function orderOf(
  db: Kysely<Schema>,
  payout: { readonly id: string; readonly asset: string },
): Promise<PayoutOrder> {
  const rows = await db
    .selectFrom("payout_withdrawals")
    .select(["destination", "amount_units"])
    .where("payout_id", "=", payout.id)
    .orderBy("position")
    .execute();
  return {
    asset: payout.asset as Asset,
    outputs: rows.map(({ destination, amount_units: units }) => ({
      destination,
      amountUnits: BigInt(units),
    })),
  };
}

/** Locks a payout for the rest of the transaction. */
export function lockPayout(tx: Tx, payoutId: string) {
  return tx
    .selectFrom("payouts")
    .selectAll()
    .where("id", "=", payoutId)
    .forUpdate()
    .executeTakeFirst();
}

export type PayoutRow = NonNullable<Awaited<ReturnType<typeof lockPayout>>>;

/** The connected chain's payouts. Undefined when the chain was disconnected. */
export function findPayout(db: Kysely<Schema>, payoutId: string) {
  return db.selectFrom("payouts").selectAll().where("id", "=", payoutId).executeTakeFirst();
}
