import { counts, readApprovalsOf, type Approval } from "#kernel/approvals.ts";
import { move } from "#kernel/ledger.ts";
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
import { ok, refuse, refuseField } from "#kernel/result.ts";

/** WITHDRAWAL work: operators review a withdrawal, then pay or reject it. */
export const withdrawalEffect: WorkEffect = { check, complete, fail: reject };

/** The first of two approvals needs no evidence, because nothing has been paid yet. */
async function check(job: Job, completion: Completion): Promise<Result<void>> {
  const approvals = await readApprovalsOf(job.tx, job.item.id);
  if (reviewStep(job, approvals, completion) !== "pay") return ok();
  const evidence = readEvidence(completion);
  return evidence.ok ? ok() : evidence;
}

async function complete(job: HeldJob, completion: Completion): Promise<Result<Effect | Approved>> {
  // Decided again under the lock: another operator may have approved since `check`.
  switch (reviewStep(job, job.approvals, completion)) {
    case "approve":
      return ok(approve(job, completion));
    case "wait":
      return refuse("conflict", {
        message: "You have approved this withdrawal. Another operator must complete it.",
      });
    case "pay": {
      const agreed = checkSameTransaction(job.approvals, completion);
      if (!agreed.ok) return agreed;
      const evidence = readEvidence(completion);
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
function readEvidence({ transactionId }: Completion): Result<string> {
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
async function pay(job: Job, transactionId: string): Promise<Result<Effect>> {
  const resolved = await resolve(job, { status: "PAID", transactionId });
  if (!resolved.ok) return resolved;
  const { id, accountId, asset, cents } = resolved.value;
  const paid = await move(job, {
    type: "WITHDRAWAL_PAYOUT",
    accountId,
    cents,
    cause: `withdrawal/${id}/payout`,
    description: `Withdrawal in ${asset}, paid`,
    reference: { kind: "withdrawal", id },
  });
  if (!paid.ok) throw new Error(`the account holds less than the withdrawal ${id} needs`);
  const detail = { asset, cents, transactionId };
  return ok({ outcome: "PAID", sideEffect: { action: "withdrawal.pay", subject: id, detail } });
}

/** Returns the held money to the balance. The customer reads the reason in the ledger. */
async function reject(job: Job, { reason }: Failure): Promise<Result<Effect>> {
  const resolved = await resolve(job, { status: "REJECTED", transactionId: null });
  if (!resolved.ok) return resolved;
  const { id, accountId, asset, cents } = resolved.value;
  const released = await move(job, {
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
  const detail = { asset, cents, reason };
  return ok({
    outcome: "REJECTED",
    sideEffect: { action: "withdrawal.reject", subject: id, detail },
  });
}

interface Resolution {
  readonly status: "PAID" | "REJECTED";
  readonly transactionId: string | null;
}

interface ResolvedWithdrawal {
  readonly id: string;
  readonly accountId: string;
  readonly asset: string;
  readonly cents: number;
}

/** The condition on the status ensures that a withdrawal is paid or rejected once, and never both. */
async function resolve(
  { tx, core, item }: Job,
  { status, transactionId }: Resolution,
): Promise<Result<ResolvedWithdrawal>> {
  const row = await tx
    .updateTable("withdrawals")
    .set({ status, transaction_id: transactionId, resolved_at: core.clock.now() })
    .where("id", "=", item.subjectId)
    .where("status", "=", "PENDING_REVIEW")
    .returning(["id", "account_id as accountId", "asset", "cents"])
    .executeTakeFirst();
  if (row !== undefined) return ok(row);
  return refuse("conflict", { message: "The withdrawal has already been paid or rejected." });
}
