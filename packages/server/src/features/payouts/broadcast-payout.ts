import { audit } from "#kernel/audit.ts";
import type { OperatorCall, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import { callChain, refusingOutages } from "#kernel/settlement.ts";
import { tellOutcome, type Outcome } from "#kernel/outcomes.ts";
import { claimTransaction, payWithdrawal, withdrawalText } from "#kernel/withdrawals.ts";
import { endPaidReview } from "#kernel/work-queue/items.ts";
import type { Result } from "#ports/result.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";
import { payoutChain } from "./payout-chain.ts";
import { readPayout, refuseState, refuseUnknown, type PayoutRecord } from "./payout-record.ts";
import {
  findPayout,
  lockPayout,
  transactionsOf,
  type PayoutRow,
  type StoredTransaction,
} from "./payout-transactions.ts";
import { sendTransaction } from "./send-transaction.ts";

/**
 * Approves a signed payout and sends it. The withdrawals resolve in the transaction that allows the bytes to be sent, so
 * a crash at any point leaves either nothing sent or a payout that the next pass sends again, with the same bytes.
 */
export async function broadcastPayout(
  core: Core,
  call: OperatorCall,
  payoutId: string,
): Promise<Result<PayoutRecord>> {
  const rehearsal = await rehearse(core, payoutId);
  const approved = await refusingOutages(
    () => core.db.write((tx) => approveSigned({ tx, core, call }, payoutId, rehearsal)),
    { message: "The node cannot be asked. Nothing was sent. Try again when it answers." },
  );
  if (!approved.ok) return approved;
  if (approved.value !== undefined) await sendTransaction(core, payoutId, approved.value);
  return readPayout(core.db.read, payoutId);
}

/** Whether a node would accept the bytes of an attempt. */
interface Rehearsal {
  readonly attempt: number;
  /** Why the node would refuse them. */
  readonly reason?: string | undefined;
  /** The node could not be asked. */
  readonly outage?: Error;
}

/** Asked before anything resolves: a transaction that the node refuses is not worth approving. */
async function rehearse(core: Core, payoutId: string): Promise<Rehearsal | undefined> {
  const payout = await findPayout(core.db.read, payoutId);
  if (payout === undefined) return undefined;
  const last = (await transactionsOf(core.db.read, payout)).at(-1);
  if (last === undefined || last.raw === null || last.sentAt !== null) return undefined;
  const { raw, attempt } = last;
  const { chain, payouts } = payoutChain(core, payout.network);
  try {
    const reason = await callChain(chain, (signal) => payouts.rehearse(raw, signal));
    return { attempt, reason };
  } catch (error) {
    if (error instanceof SettlementUnavailable || error instanceof SettlementFailed) {
      return { attempt, outage: error };
    }
    throw error;
  }
}

/** Returns the transaction to send, or undefined if it is confirmed. */
async function approveSigned(
  step: Step<OperatorCall>,
  payoutId: string,
  rehearsal: Rehearsal | undefined,
): Promise<Result<StoredTransaction | undefined>> {
  const { tx } = step;
  const payout = await lockPayout(tx, payoutId);
  if (payout === undefined) return refuseUnknown();
  const { state } = payout;
  if (state === "CONFIRMED") return ok(undefined);
  if (state === "PREPARED") return refuseState(state, "Upload the signed transaction first.");
  if (state !== "SIGNED" && state !== "BROADCAST") {
    return refuseState(state, "It cannot be broadcast.");
  }
  const transactions = await transactionsOf(tx, payout);
  const signed = transactions.findLast(({ raw }) => raw !== null);
  if (signed === undefined) throw new Error(`the payout ${payoutId} has no signed bytes`);
  if (signed.sentAt !== null) return ok(signed);
  const permitted = await checkSecondOperator(step, payout);
  if (!permitted.ok) return permitted;
  if (rehearsal?.attempt === signed.attempt) {
    if (rehearsal.outage !== undefined) throw rehearsal.outage;
    if (rehearsal.reason !== undefined) {
      return refuse("conflict", {
        message: `The node would not accept this transaction: ${rehearsal.reason}. Nothing was sent.`,
      });
    }
  }
  const sent = await approve(step, payout, signed);
  return sent.ok ? ok(signed) : sent;
}

/** Payouts of the configured amount or more need two different operators, both enabled. */
async function checkSecondOperator(
  { tx, core, call }: Step<OperatorCall>,
  { cents, prepared_by: preparedBy }: PayoutRow,
): Promise<Result<void>> {
  if (cents < core.rules.twoOperatorsFromCents) return ok();
  if (preparedBy === call.operator.operatorId) {
    return refuse("role_forbidden", {
      message:
        "You prepared this payout. Because of its amount, another operator must broadcast it.",
    });
  }
  const { disabled_at: disabledAt, username } = await tx
    .selectFrom("operators")
    .select(["disabled_at", "username"])
    .where("id", "=", preparedBy)
    .executeTakeFirstOrThrow();
  if (disabledAt === null) return ok();
  return refuse("conflict", {
    message: `${username}, who prepared this payout, is disabled. Cancel it and prepare another one.`,
  });
}

/** From here on the bytes may reach a node. */
async function approve(
  step: Step<OperatorCall>,
  payout: PayoutRow,
  { attempt, transactionId = "" }: StoredTransaction,
): Promise<Result<void>> {
  const { tx, core, call } = step;
  const { id, network } = payout;
  const { operatorId } = call.operator;
  if (!(await claimTransaction(step, { network, transactionId, payerId: id }))) {
    return refuse("conflict", {
      message: `Transaction ${transactionId} has already paid a withdrawal.`,
    });
  }
  const now = core.clock.now();
  if (payout.state === "SIGNED") {
    const resolved = await resolveWithdrawals(step, payout, transactionId);
    if (!resolved.ok) return resolved;
    await tx
      .updateTable("payouts")
      .set({ state: "BROADCAST", broadcast_by: operatorId, broadcast_at: now })
      .where("id", "=", id)
      .execute();
  } else {
    await tx
      .updateTable("payouts")
      .set({ transaction_id: transactionId, error: null })
      .where("id", "=", id)
      .execute();
  }
  const cursor = await tx
    .selectFrom("settlement_cursors")
    .select("height")
    .where("network", "=", network)
    .executeTakeFirst();
  await tx
    .updateTable("payout_transactions")
    .set({ sent_at: now, searched_height: cursor?.height ?? null })
    .where("payout_id", "=", id)
    .where("attempt", "=", attempt)
    .execute();
  await audit(step, "payout.broadcast", id, { transactionId, attempt, cents: payout.cents });
  return ok();
}

/** Locks work items, then balances, then threads, each in one order, so that two payouts cannot deadlock. */
async function resolveWithdrawals(
  step: Step<OperatorCall>,
  { id }: PayoutRow,
  transactionId: string,
): Promise<Result<void>> {
  const { tx, call } = step;
  const { operatorId } = call.operator;
  const reviews = await tx
    .selectFrom("payout_withdrawals as p")
    .innerJoin("withdrawals as w", "w.id", "p.withdrawal_id")
    .select(["p.withdrawal_id as withdrawalId", "p.work_id as workId", "w.account_id as accountId"])
    .where("p.payout_id", "=", id)
    .orderBy("p.work_id")
    .execute();
  for (const { workId } of reviews) {
    await endPaidReview(step, { workId, operatorId }, `Payout ${id}`);
  }
  const byAccount = reviews.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
  const outcomes: Outcome[] = [];
  for (const { withdrawalId, workId, accountId } of byAccount) {
    const paid = await payWithdrawal(step, { withdrawalId, transactionId, payoutId: id });
    if (!paid.ok) return paid;
    const { asset, cents } = paid.value;
    const detail = { workId, payoutId: id, asset, cents, transactionId };
    await audit(step, "withdrawal.pay", withdrawalId, detail);
    const report = `${withdrawalText(paid.value)}: paid. Transaction ${transactionId}`;
    outcomes.push({ accountId, serverId: null, operatorId, report, note: null });
  }
  for (const outcome of outcomes) await tellOutcome(step, outcome);
  return ok();
}
