import { usdFromCents, usdText } from "@ironlease/contract";
import { sql } from "kysely";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import type { Asset } from "#ports/settlement.ts";
import type { TxScope } from "./call.ts";
import { move } from "./ledger.ts";
import { recordEvent } from "./outbox/record-event.ts";
import { ok, refuse } from "./result.ts";
import { preparedInsert } from "./sql/prepared.ts";

/** Every write to `withdrawals` and to the transactions that paid them. */

const insertWithdrawal = preparedInsert("withdrawals", [
  "id",
  "account_id",
  "asset",
  "destination",
  "cents",
  "status",
  "transaction_id",
  "created_at",
  "resolved_at",
  "payout_id",
]);

export interface NewWithdrawal {
  readonly id: string;
  readonly accountId: string;
  readonly asset: Asset;
  readonly destination: string;
  readonly cents: number;
}

/** The caller has held the amount. */
export function addWithdrawal(
  { tx, core }: TxScope,
  { id, accountId, asset, destination, cents }: NewWithdrawal,
): Promise<void> {
  return insertWithdrawal(tx, {
    id,
    account_id: accountId,
    asset,
    destination,
    cents,
    status: "PENDING_REVIEW",
    transaction_id: null,
    created_at: core.clock.now(),
    resolved_at: null,
    payout_id: null,
  });
}

/** Assigns pending withdrawals to a payout. False when one of them is resolved or in another payout. */
export async function assignToPayout(
  tx: Tx,
  payoutId: string,
  withdrawalIds: readonly string[],
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("withdrawals")
    .set({ payout_id: payoutId })
    .where("id", "in", withdrawalIds)
    .where("status", "=", "PENDING_REVIEW")
    .where("payout_id", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === BigInt(withdrawalIds.length);
}

/** Frees the withdrawals of a payout that was cancelled. */
export async function unassignFromPayout(
  tx: Tx,
  payoutId: string,
  withdrawalIds: readonly string[],
): Promise<void> {
  await tx
    .updateTable("withdrawals")
    .set({ payout_id: null })
    .where("id", "in", withdrawalIds)
    .where("payout_id", "=", payoutId)
    .where("status", "=", "PENDING_REVIEW")
    .execute();
}

/** After a bump, another transaction of the same payout can be the one that pays. */
export async function correctTransaction(
  tx: Tx,
  payoutId: string,
  withdrawalIds: readonly string[],
  transactionId: string,
): Promise<void> {
  await tx
    .updateTable("withdrawals")
    .set({ transaction_id: transactionId })
    .where("id", "in", withdrawalIds)
    .where("payout_id", "=", payoutId)
    .where("status", "=", "PAID")
    .execute();
}

interface Resolution {
  readonly withdrawalId: string;
  readonly status: "PAID" | "REJECTED";
  readonly transactionId: string | null;
  /** Null when an operator resolves it by hand. */
  readonly payoutId: string | null;
}

export interface ResolvedWithdrawal {
  readonly id: string;
  readonly accountId: string;
  readonly asset: string;
  readonly destination: string;
  readonly cents: number;
}

/** Names a withdrawal to its customer. */
export function withdrawalText({ cents, asset, destination }: ResolvedWithdrawal): string {
  return `Withdrawal of ${usdText(cents)} USD in ${asset} to ${destination}`;
}

function eventData({ id, asset, cents }: ResolvedWithdrawal) {
  return { withdrawalId: id, asset, usd: usdFromCents(cents) };
}

/**
 * The conditions ensure that a withdrawal is paid or rejected once, never both, and never by hand while a payout is
 * about to pay it.
 */
async function resolve(
  { tx, core }: TxScope,
  { withdrawalId, status, transactionId, payoutId }: Resolution,
): Promise<Result<ResolvedWithdrawal>> {
  const row = await tx
    .updateTable("withdrawals")
    .set({ status, transaction_id: transactionId, resolved_at: core.clock.now() })
    .where("id", "=", withdrawalId)
    .where("status", "=", "PENDING_REVIEW")
    .where(sql<boolean>`coalesce(payout_id, '') = ${payoutId ?? ""}`)
    .returning(["id", "account_id as accountId", "asset", "destination", "cents"])
    .executeTakeFirst();
  if (row !== undefined) return ok(row);
  const { status: now, payout_id: owner } = await tx
    .selectFrom("withdrawals")
    .select(["status", "payout_id"])
    .where("id", "=", withdrawalId)
    .executeTakeFirstOrThrow();
  return refuse("conflict", {
    message:
      now === "PENDING_REVIEW" && owner !== null
        ? `Payout ${owner} pays this withdrawal. Cancel the payout first.`
        : "The withdrawal has already been paid or rejected.",
  });
}

export interface Payment {
  readonly withdrawalId: string;
  readonly transactionId: string;
  readonly payoutId: string | null;
}

/** The held money has left, or leaves now: books it as paid, with the transaction that pays it. */
export async function payWithdrawal(
  scope: TxScope,
  payment: Payment,
): Promise<Result<ResolvedWithdrawal>> {
  const resolved = await resolve(scope, { ...payment, status: "PAID" });
  if (!resolved.ok) return resolved;
  const { id, accountId, asset, cents } = resolved.value;
  // The customer reads the transaction in the ledger.
  const paid = await move(scope, {
    type: "WITHDRAWAL_PAYOUT",
    accountId,
    cents,
    cause: `withdrawal/${id}/payout`,
    description: `Withdrawal in ${asset}, paid. Transaction ${payment.transactionId}`,
    reference: { kind: "withdrawal", id },
  });
  if (!paid.ok) throw new Error(`the account holds less than the withdrawal ${id} needs`);
  const data = { ...eventData(resolved.value), transactionId: payment.transactionId };
  await recordEvent(scope, { accountId, type: "withdrawal.paid", data });
  return resolved;
}

/** Returns the held money to the balance. The customer reads the reason in the ledger. */
export async function rejectWithdrawal(
  scope: TxScope,
  withdrawalId: string,
  reason: string,
): Promise<Result<ResolvedWithdrawal>> {
  const resolved = await resolve(scope, {
    withdrawalId,
    status: "REJECTED",
    transactionId: null,
    payoutId: null,
  });
  if (!resolved.ok) return resolved;
  const { id, accountId, asset, cents } = resolved.value;
  const released = await move(scope, {
    type: "WITHDRAWAL_RELEASE",
    accountId,
    cents,
    cause: `withdrawal/${id}/release`,
    description: `Withdrawal in ${asset}, rejected: ${reason}`,
    reference: { kind: "withdrawal", id },
  });
  if (!released.ok) {
    return refuse("conflict", {
      message: "Releasing this amount would exceed the maximum balance. Adjust the balance first.",
    });
  }
  const data = { ...eventData(resolved.value), reason };
  await recordEvent(scope, { accountId, type: "withdrawal.rejected", data });
  return resolved;
}

/** Records that a transaction pays, once for ever. False when it has paid something else. */
export async function claimTransaction(
  { tx, core }: TxScope,
  payment: { readonly network: string; readonly transactionId: string; readonly payerId: string },
): Promise<boolean> {
  const { network, payerId } = payment;
  const transactionId = payment.transactionId.toLowerCase();
  await tx
    .insertInto("paying_transactions")
    .values({
      network,
      transaction_id: transactionId,
      payer_id: payerId,
      created_at: core.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(["network", "transaction_id"]).doNothing())
    .execute();
  const { payer_id: owner } = await tx
    .selectFrom("paying_transactions")
    .select("payer_id")
    .where("network", "=", network)
    .where("transaction_id", "=", transactionId)
    .executeTakeFirstOrThrow();
  return owner === payerId;
}
