import type { OperationOf } from "./operations.ts";
import {
  emit,
  twoOperatorsFromCents,
  unsignedPayoutMs,
  type Model,
  type ModelPayout,
  type ModelWithdrawal,
} from "./state.ts";

/** Prepares a payout of withdrawals that the operator holds and that no other payout is about to pay. */
export function prepare(
  model: Model,
  { operator }: OperationOf<"prepare">,
  reviews: readonly (ModelWithdrawal | undefined)[],
): string {
  if (new Set(reviews).size !== reviews.length) return "validation_failed";
  const withdrawals = reviews.filter((review) => review !== undefined);
  if (withdrawals.length !== reviews.length) return "validation_failed";
  for (const { work, payout } of withdrawals) {
    const isHeld = work.state === "CLAIMED" && work.leaseUntil > model.now;
    if (payout !== undefined || !isHeld || work.holder !== operator) return "conflict";
  }
  const payout: ModelPayout = {
    withdrawals,
    preparedBy: operator,
    cents: withdrawals.reduce((sum, { cents }) => sum + cents, 0),
    expiresAt: model.now + unsignedPayoutMs,
    state: "PREPARED",
  };
  for (const withdrawal of withdrawals) withdrawal.payout = payout;
  model.payouts.push(payout);
  return "ok";
}

export function applyPayoutStep(
  model: Model,
  { operator, verb, payout: index }: OperationOf<"payoutStep">,
): string {
  const payout = model.payouts[index];
  if (payout === undefined) return "not_found";
  switch (verb) {
    case "sign":
    case "tamper":
      if (!isLiving(payout) || hasLapsed(payout, model.now)) return "conflict";
      if (verb === "tamper") return "validation_failed";
      if (payout.state === "PREPARED") payout.state = "SIGNED";
      return "ok";
    case "broadcast":
      return broadcast(model, payout, operator);
    case "cancel":
      if (payout.state !== "PREPARED" && payout.state !== "SIGNED") return "conflict";
      cancel(payout);
      return "ok";
  }
}

/** The held money of each withdrawal leaves here, and nowhere else. */
function broadcast(model: Model, payout: ModelPayout, operator: number): string {
  if (payout.state === "BROADCAST" || payout.state === "CONFIRMED") return "ok";
  if (payout.state !== "SIGNED") return "conflict";
  const { cents, preparedBy, withdrawals } = payout;
  if (cents >= twoOperatorsFromCents) {
    const isPreparer = preparedBy === operator;
    model.broadcasts.add(isPreparer ? "BY_PREPARER" : "BY_SECOND_OPERATOR");
    if (isPreparer) return "role_forbidden";
  }
  payout.state = "BROADCAST";
  for (const withdrawal of withdrawals) {
    withdrawal.status = "PAID";
    withdrawal.work.state = "DONE";
    withdrawal.owner.held -= withdrawal.cents;
    withdrawal.owner.outcomes += 1;
    emit(withdrawal.owner, "withdrawal.paid");
    emit(withdrawal.owner, "message.received");
  }
  return "ok";
}

/** Frees the withdrawals and reopens their reviews. */
function cancel(payout: ModelPayout): void {
  payout.state = "CANCELLED";
  for (const withdrawal of payout.withdrawals) {
    withdrawal.payout = undefined;
    if (withdrawal.work.state === "CLAIMED") withdrawal.work.state = "OPEN";
  }
}

function isLiving({ state }: ModelPayout): boolean {
  return state === "PREPARED" || state === "SIGNED" || state === "BROADCAST";
}

export function hasLapsed({ state, expiresAt }: ModelPayout, now: number): boolean {
  return state === "PREPARED" && expiresAt <= now;
}

/** What the chain has decided about a payout. */
export type Verdict = "CONFIRMED" | "FAILED" | undefined;

/** Compares a payout's state after a pass with the model. Returns the problem, if any. */
export function recordState(
  model: Model,
  payout: ModelPayout,
  state: ModelPayout["state"],
  verdict: Verdict,
): string | undefined {
  if (state === payout.state) return undefined;
  if (state === "CANCELLED" && hasLapsed(payout, model.now)) {
    cancel(payout);
    return undefined;
  }
  if (payout.state !== "BROADCAST" || state !== verdict) {
    return `it went from ${payout.state} to ${state}, and the chain says ${verdict}`;
  }
  payout.state = verdict;
  return undefined;
}
