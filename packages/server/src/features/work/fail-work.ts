import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/access/operator.ts";
import type { Result } from "#ports/result.ts";
import { readFailure, type Failure } from "./failure.ts";
import { letGo, lockHeld } from "./lease.ts";
import { giveUpWork } from "./perform-work.ts";
import { readWork } from "./read-work.ts";
import { recordStep } from "./record-step.ts";
import { findItem } from "./work-item.ts";
import type { WorkRecord } from "./work-record.ts";

/**
 * Gives an item up, with what follows from that, in one transaction. Saying no never takes two: one
 * operator may reject a large withdrawal, the one who approved it included.
 */
export function failWork(
  core: Core,
  call: OperatorCall,
  workId: string,
  input: Failure,
): Promise<Result<WorkRecord>> {
  return core.db.write(async (tx) => {
    const item = await findItem(tx, call, workId);
    if (!item.ok) return item;
    const failure = readFailure(item.value, input);
    if (!failure.ok) return failure;
    const job = { tx, core, call, item: item.value };
    const held = await lockHeld(job);
    if (!held.ok) return held;
    const effect = await giveUpWork(job, failure.value);
    if (!effect.ok) return effect;
    const { outcome, deed } = effect.value;
    const { reason } = failure.value;
    const ended = await letGo(job, { state: "FAILED", outcome, note: reason });
    if (!ended.ok) return ended;
    await recordStep(job, "work.fail", { outcome, reason }, deed);
    return readWork(core, workId, tx);
  });
}
