import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/access/operator.ts";
import { isoTime } from "#ports/clock.ts";
import type { Result } from "#ports/result.ts";
import { takeLease } from "./lease.ts";
import { readWork } from "./read-work.ts";
import { recordStep } from "./record-step.ts";
import { findItem } from "./work-item.ts";
import type { WorkRecord } from "./work-record.ts";

/** Takes an item for the length of a lease, or renews the lease of whoever holds it. */
export function claimWork(
  core: Core,
  call: OperatorCall,
  workId: string,
): Promise<Result<WorkRecord>> {
  return core.db.write(async (tx) => {
    const item = await findItem(tx, call, workId);
    if (!item.ok) return item;
    const job = { tx, core, call, item: item.value };
    const taken = await takeLease(job);
    if (!taken.ok) return taken;
    await recordStep(job, "work.claim", { leaseUntil: isoTime(taken.value.leaseUntil) });
    return readWork(core, workId, tx);
  });
}
