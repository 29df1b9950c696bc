import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Failure, WorkEffects } from "#kernel/work-effects.ts";
import type { Result } from "#ports/result.ts";
import { readFailure } from "./failure.ts";
import { end, lockHeld } from "./lease.ts";
import { readWork } from "./read-work.ts";
import { recordStep } from "./record-step.ts";
import { tellCustomer } from "./tell-customer.ts";
import { findItem } from "./work-item.ts";
import type { WorkRecord } from "./work-record.ts";

/**
 * Ends an item as failed and applies the consequences in one transaction. A rejection never needs two operators: any
 * operator may reject a large withdrawal, including the one who approved it.
 */
export function failWork(
  core: Core,
  call: OperatorCall,
  { workId, ...input }: Failure & { readonly workId: string },
  effects: WorkEffects,
): Promise<Result<WorkRecord>> {
  return core.db.write(async (tx) => {
    const item = await findItem(tx, call, workId);
    if (!item.ok) return item;
    const failure = readFailure(item.value, input);
    if (!failure.ok) return failure;
    const held = await lockHeld({ tx, core, call, item: item.value });
    if (!held.ok) return held;
    const job = held.value;
    const effect = await effects[job.item.kind].fail(job, failure.value);
    if (!effect.ok) return effect;
    const { outcome, sideEffect } = effect.value;
    const { reason } = failure.value;
    const ended = await end(job, { state: "FAILED", outcome, note: reason });
    if (!ended.ok) return ended;
    await recordStep(job, "work.fail", { outcome, reason, ...ended.value }, sideEffect);
    await tellCustomer(job, effect.value, reason);
    return readWork(core, workId, tx);
  });
}
