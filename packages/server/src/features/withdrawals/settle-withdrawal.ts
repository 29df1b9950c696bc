import { counts, readApprovalsOf, type Approval } from "#kernel/approvals.ts";
import type {
  Approved,
  Completion,
  Effect,
  Failure,
  HeldJob,
  Job,
  WorkEffect,
} from "#kernel/work-effects.ts";
import type { Result } from "#ports/result.ts";
import type { Asset } from "#ports/settlement.ts";
import { unitsOfAmount } from "#kernel/coin-amount.ts";
import { recordPaidCoins } from "#kernel/house-ledger.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import {
  claimTransaction,
  payWithdrawal,
  rejectWithdrawal,
  withdrawalText,
} from "#kernel/withdrawals.ts";
import { readProof, type Evidence } from "./read-proof.ts";
import { priceWithdrawal } from "./price-withdrawal.ts";
import { proveWithdrawal } from "./prove-withdrawal.ts";

/** WITHDRAWAL work: operators review a withdrawal, then pay or reject it. */
export const withdrawalEffect: WorkEffect = {
  price: priceWithdrawal,
  prove: proveWithdrawal,
  check,
  complete,
  fail: reject,
};

/** The first of two approvals needs no evidence, because nothing has been paid yet. */
async function check(job: Job, completion: Completion): Promise<Result<void>> {
  const approvals = await readApprovalsOf(job.tx, job.item.id);
  if (completion.isUnverified && completion.note === undefined) {
    return refuseField("note", "is required with unverified: say how you checked the payment");
  }
  if (reviewStep(job, approvals, completion) !== "pay") return ok();
  const named = readTransactionId(completion);
  return named.ok ? ok() : named;
}

async function complete(job: HeldJob, completion: Completion): Promise<Result<Effect | Approved>> {
  // Decided again under the lock: another operator may have approved since `check`.
  switch (reviewStep(job, job.approvals, completion)) {
    case "approve": {
      const refuted = job.proof?.kind === "REFUTED" ? await readProof(job, completion) : ok();
      return refuted.ok ? ok(approve(job, completion)) : refuted;
    }
    case "wait":
      return refuse("conflict", {
        message: "You have approved this withdrawal. Another operator must complete it.",
      });
    case "pay": {
      const agreed = checkSameTransaction(job.approvals, completion);
      if (!agreed.ok) return agreed;
      const evidence = await readProof(job, completion);
      return evidence.ok ? pay(job, evidence.value) : evidence;
    }
  }
}

/** The first of two operators approves. */
function approve(job: HeldJob, completion: Completion): Approved {
  const { subjectId, cents } = job.item;
  const { transactionId = null } = completion;
  return {
    approvals: withApproval(job, completion),
    sideEffect: {
      action: "withdrawal.approve",
      subject: subjectId,
      detail: { cents, transactionId },
    },
  };
}

/** What completing the review does when this operator asks for it. */
type ReviewStep = "approve" | "pay" | "wait";

/**
 * Withdrawals of the configured amount or more need two different operators. The first may approve again to correct
 * the transaction id, which still counts as one approval.
 */
function reviewStep(
  { core, call, item }: Job,
  approvals: readonly Approval[],
  { transactionId }: Completion,
): ReviewStep {
  if ((item.cents ?? 0) < core.rules.twoOperatorsFromCents) return "pay";
  const counted = approvals.filter(counts);
  const own = counted.find(({ operatorId }) => operatorId === call.operator.operatorId);
  if (own !== undefined) return differ(own.transactionId, transactionId) ? "approve" : "wait";
  return counted.length === 0 ? "approve" : "pay";
}

function differ(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** Two operators who name different transactions disagree about what was paid. */
function checkSameTransaction(
  approvals: readonly Approval[],
  { transactionId }: Completion,
): Result<void> {
  const first = approvals
    .filter(counts)
    .find((approval) => differ(approval.transactionId, transactionId));
  if (first === undefined) return ok();
  return refuse("conflict", {
    message: `${first.username} named transaction ${first.transactionId}, but you named ${transactionId}. Check which one paid this withdrawal. Send that id, or ask ${first.username} to correct theirs.`,
  });
}

/** The transaction id is the only evidence that the held money has left. */
function readTransactionId({ transactionId }: Completion): Result<string> {
  return transactionId === undefined
    ? refuseField("transactionId", "is required: it proves that the withdrawal was paid")
    : ok(transactionId);
}

/** Adds this operator's approval, which replaces an earlier one of theirs. */
function withApproval(
  { core, call, approvals }: HeldJob,
  { transactionId, note }: Completion,
): readonly Approval[] {
  const { operatorId, username } = call.operator;
  const left = {
    ...(transactionId !== undefined && { transactionId }),
    ...(note !== undefined && { note }),
  };
  const kept = approvals.filter((given) => !counts(given) || given.operatorId !== operatorId);
  return [...kept, { operatorId, username, at: core.clock.now(), ...left }];
}

/** The held money has left: books it as a payout, with the transaction that paid it. */
async function pay(job: Job, evidence: Evidence): Promise<Result<Effect>> {
  const { subjectId: withdrawalId } = job.item;
  const { transactionId, network, amount, isUnverified } = evidence;
  if (network !== undefined) {
    const isFirst = await claimTransaction(job, { network, transactionId, payerId: withdrawalId });
    if (!isFirst) {
      return refuse("conflict", {
        message: `Transaction ${transactionId} has already paid another withdrawal. Name the one that paid this withdrawal.`,
      });
    }
  }
  const paid = await payWithdrawal(job, { withdrawalId, transactionId, payoutId: null });
  if (!paid.ok) return paid;
  const { id, asset, cents } = paid.value;
  if (network !== undefined && amount !== null) {
    const units = unitsOfAmount(amount);
    const reference = { kind: "withdrawal", id } as const;
    await recordPaidCoins(job, { network, asset: asset as Asset, units, cents, reference });
  }
  const detail = { asset, cents, transactionId, ...(isUnverified && { unverified: true }) };
  return ok({
    outcome: "PAID",
    report: `${withdrawalText(paid.value)}: paid. Transaction ${transactionId}`,
    sideEffect: { action: "withdrawal.pay", subject: id, detail },
  });
}

/** Returns the held money to the balance. The customer reads the reason in the ledger. */
async function reject(job: Job, { reason }: Failure): Promise<Result<Effect>> {
  const rejected = await rejectWithdrawal(job, job.item.subjectId, reason);
  if (!rejected.ok) return rejected;
  const { id, asset, cents } = rejected.value;
  const detail = { asset, cents, reason };
  return ok({
    outcome: "REJECTED",
    report: `${withdrawalText(rejected.value)}: rejected. The amount was returned to your balance.`,
    sideEffect: { action: "withdrawal.reject", subject: id, detail },
  });
}
