import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/access/operator.ts";
import { ok, refuse, type Result } from "#ports/result.ts";
import { readCompletion, type Completion, type CompletionInput } from "./completion.ts";
import { letGo, lockHeld, type HeldItem } from "./lease.ts";
import { performWork } from "./perform-work.ts";
import { readWork } from "./read-work.ts";
import { recordStep } from "./record-step.ts";
import {
  checkSameTransaction,
  readEvidence,
  reviewStep,
  withApproval,
} from "./settle-withdrawal.ts";
import { approvalsOf, findItem, type Job } from "./work-item.ts";
import type { WorkRecord } from "./work-record.ts";

/**
 * Ends an item with its effect, in one transaction. Which refusal wins follows from the order of the
 * steps: not found, role, fields, lease, and then whatever stands in the way of the effect.
 */
export function completeWork(
  core: Core,
  call: OperatorCall,
  workId: string,
  input: CompletionInput,
): Promise<Result<WorkRecord>> {
  return core.db.write(async (tx) => {
    const item = await findItem(tx, call, workId);
    if (!item.ok) return item;
    const job = { tx, core, call, item: item.value };
    const completion = await readFields(job, input);
    if (!completion.ok) return completion;
    const held = await lockHeld(job);
    if (!held.ok) return held;
    const done = await complete(job, held.value, completion.value);
    return done.ok ? readWork(core, workId, tx) : done;
  });
}

async function readFields(job: Job, input: CompletionInput): Promise<Result<Completion>> {
  const completion = readCompletion(job.item, input);
  if (!completion.ok || job.item.kind !== "WITHDRAWAL") return completion;
  // Nothing has been paid yet at the first of two approvals, so it needs no evidence.
  const step = reviewStep(job, await approvalsOf(job), completion.value);
  if (step !== "pay") return completion;
  const evidence = readEvidence(completion.value);
  return evidence.ok ? completion : evidence;
}

async function complete(job: Job, held: HeldItem, completion: Completion): Promise<Result<void>> {
  // Once more, now that the item is locked: another's approval may have come in between.
  const isReview = job.item.kind === "WITHDRAWAL";
  const step = isReview ? reviewStep(job, held.approvals, completion) : undefined;
  if (step === "approve") return approve(job, held, completion);
  if (step === "wait") {
    const message = "You have approved this withdrawal. Another operator must complete it.";
    return refuse("conflict", { message });
  }
  const agreed = checkSameTransaction(held.approvals, completion);
  if (!agreed.ok) return agreed;
  const effect = await performWork(job, completion);
  if (!effect.ok) return effect;
  const { outcome, deed } = effect.value;
  const { note = null } = completion;
  const ended = await letGo(job, { state: "DONE", outcome, note });
  if (!ended.ok) return ended;
  await recordStep(job, "work.complete", { outcome, note }, deed);
  return ok();
}

/** The first of two operators agrees: the item waits for another one. */
async function approve(job: Job, held: HeldItem, completion: Completion): Promise<Result<void>> {
  const approvals = withApproval(job, held.approvals, completion);
  const opened = await letGo(job, { state: "OPEN", approvals });
  if (!opened.ok) return opened;
  const { transactionId = null, note = null } = completion;
  const { subjectId, cents } = job.item;
  const deed = { action: "withdrawal.approve", subject: subjectId };
  await recordStep(job, "work.approve", { note }, { ...deed, detail: { cents, transactionId } });
  return ok();
}
