import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type {
  Completion,
  HeldJob,
  Postponed,
  Proof,
  WorkEffect,
  WorkEffects,
} from "#kernel/work-effects.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import { readCompletion, type CompletionInput } from "./completion.ts";
import { end, lockHeld, release } from "./lease.ts";
import { tellCustomer } from "./tell-customer.ts";
import { readWork } from "./read-work.ts";
import { recordStep } from "./record-step.ts";
import { findItem } from "./work-item.ts";
import type { WorkRecord } from "./work-record.ts";

/**
 * Ends an item and applies its effect in one transaction. The checks run in this order: not found, role, fields, lease,
 * effect.
 */
export async function completeWork(
  core: Core,
  call: OperatorCall,
  { workId, ...input }: CompletionInput & { readonly workId: string },
  effects: WorkEffects,
): Promise<Result<WorkRecord>> {
  const proof = await prove(core, call, workId, input, effects);
  const written = await core.db.write<WorkRecord | Postponed>(async (tx) => {
    const item = await findItem(tx, call, workId);
    if (!item.ok) return item;
    const job = { tx, core, call, item: item.value };
    const effect = effects[job.item.kind];
    const completion = readCompletion(job.item, input);
    if (!completion.ok) return completion;
    const checked = (await effect.check?.(job, completion.value)) ?? ok();
    if (!checked.ok) return checked;
    const held = await lockHeld(job);
    if (!held.ok) return held;
    const done = await complete({ ...held.value, proof }, completion.value, effect);
    if (!done.ok) return done;
    return done.value === undefined ? readWork(core, workId, tx) : ok(done.value);
  });
  if (!written.ok) return written;
  const { value } = written;
  return "refusal" in value ? { ok: false, refusal: value.refusal } : ok(value);
}

/** Asked before the transaction, which refuses what cannot be completed. */
async function prove(
  core: Core,
  call: OperatorCall,
  workId: string,
  input: CompletionInput,
  effects: WorkEffects,
): Promise<Proof | undefined> {
  const item = await findItem(core.db.read, call, workId);
  if (!item.ok) return undefined;
  const effect = effects[item.value.kind];
  if (effect.prove === undefined) return undefined;
  const completion = readCompletion(item.value, input);
  const work = await readWork(core, workId);
  if (!completion.ok || !work.ok) return undefined;
  return effect.prove(core, { ...item.value, detail: work.value.detail }, completion.value);
}

async function complete(
  job: HeldJob,
  completion: Completion,
  effect: WorkEffect,
): Promise<Result<Postponed | undefined>> {
  const applied = await effect.complete(job, completion);
  if (!applied.ok) return applied;
  if ("refusal" in applied.value) {
    await tellCustomer(job, applied.value, null);
    return ok(applied.value);
  }
  const { note = null } = completion;
  if ("approvals" in applied.value) {
    const { approvals, sideEffect } = applied.value;
    const released = await release(job, approvals);
    if (!released.ok) return released;
    await recordStep(job, "work.approve", { note }, sideEffect);
    return ok(undefined);
  }
  const { outcome, sideEffect } = applied.value;
  const ended = await end(job, { state: "DONE", outcome, note });
  if (!ended.ok) return ended;
  await recordStep(job, "work.complete", { outcome, note, ...ended.value }, sideEffect);
  await tellCustomer(job, applied.value, note);
  return ok(undefined);
}
