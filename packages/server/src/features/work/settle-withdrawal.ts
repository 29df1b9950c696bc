import { counts, type Approval } from "#kernel/approvals.ts";
import { move } from "#kernel/ledger.ts";
import { ok, refuse, refuseField, type Result } from "#ports/result.ts";
import type { Completion } from "./completion.ts";
import type { Deed } from "./record-step.ts";
import type { Job } from "./work-item.ts";

/** What completing the review of a withdrawal comes to for this operator. */
export type ReviewStep = "approve" | "pay" | "wait";

/**
 * At or above the configured sum two different operators must agree before anything is paid. The first
 * one may approve again to correct the transaction id; it stays one approval.
 */
export function reviewStep(
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

/** Two approvers who name different transactions disagree about what was paid. */
export function checkSameTransaction(
  approvals: readonly Approval[],
  { transactionId }: Completion,
): Result<void> {
  const first = approvals
    .filter(counts)
    .find((approval) => differ(approval.transactionId, transactionId));
  if (first === undefined) return ok();
  return refuse("conflict", {
    message: `${first.username} named the transaction ${first.transactionId}, you named ${transactionId}. Check which one paid this withdrawal. Then send that id, or have ${first.username} correct theirs.`,
  });
}

/** The transaction that paid it: without one nothing shows that the held money has left. */
export function readEvidence({ transactionId }: Completion): Result<string> {
  return transactionId === undefined
    ? refuseField("transactionId", "must be given: it is the evidence that the sum was paid")
    : ok(transactionId);
}

/** The approvals of an item with this operator's, which replaces the one that is corrected. */
export function withApproval(
  { core, call }: Job,
  approvals: readonly Approval[],
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

/** Held money has left: it is the house's payout now, with the transaction that paid it. */
export async function payWithdrawal(job: Job, transactionId: string): Promise<Result<Deed>> {
  const { tx, core } = job;
  const resolved = await resolve(job, { status: "PAID", transactionId });
  if (!resolved.ok) return resolved;
  const { id, accountId, asset, cents } = resolved.value;
  const paid = await move(tx, core, {
    type: "WITHDRAWAL_PAYOUT",
    accountId,
    cents,
    cause: `withdrawal/${id}/payout`,
    description: `Withdrawal in ${asset}, paid`,
    reference: { kind: "withdrawal", id },
  });
  if (!paid.ok) throw new Error(`less is held than the withdrawal ${id} needs`);
  return ok({ action: "withdrawal.pay", subject: id, detail: { asset, cents, transactionId } });
}

/** Held money goes back, and the customer reads the reason in the ledger. */
export async function rejectWithdrawal(job: Job, reason: string): Promise<Result<Deed>> {
  const { tx, core } = job;
  const resolved = await resolve(job, { status: "REJECTED", transactionId: null });
  if (!resolved.ok) return resolved;
  const { id, accountId, asset, cents } = resolved.value;
  const released = await move(tx, core, {
    type: "WITHDRAWAL_RELEASE",
    accountId,
    cents,
    cause: `withdrawal/${id}/release`,
    description: `Withdrawal in ${asset}, rejected: ${reason}`,
    reference: { kind: "withdrawal", id },
  });
  if (!released.ok) {
    return refuse("conflict", {
      message: "The balance cannot hold the sum on top of what it has. Adjust it first.",
    });
  }
  return ok({ action: "withdrawal.reject", subject: id, detail: { asset, cents, reason } });
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

/** The status is in the statement: a withdrawal is paid or rejected, never both and never twice. */
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
  return refuse("conflict", { message: "The withdrawal has been paid or rejected already." });
}
