import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Result } from "#ports/result.ts";
import { release } from "./lease.ts";
import { readWork } from "./read-work.ts";
import { recordStep } from "./record-step.ts";
import { findItem } from "./work-item.ts";
import type { WorkRecord } from "./work-record.ts";

/** Releases an item before its lease expires, so that any operator may claim it immediately. */
export function releaseWork(
  core: Core,
  call: OperatorCall,
  workId: string,
): Promise<Result<WorkRecord>> {
  return core.db.write(async (tx) => {
    const item = await findItem(tx, call, workId);
    if (!item.ok) return item;
    const job = { tx, core, call, item: item.value };
    const released = await release(job);
    if (!released.ok) return released;
    await recordStep(job, "work.release", {});
    return readWork(core, workId, tx);
  });
}
