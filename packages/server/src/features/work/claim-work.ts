import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { isoTime } from "#kernel/iso-time.ts";
import type { Result } from "#ports/result.ts";
import { claim } from "./lease.ts";
import { readWork } from "./read-work.ts";
import { recordStep } from "./record-step.ts";
import { findItem } from "./work-item.ts";
import type { WorkRecord } from "./work-record.ts";

/** Claims an item for the length of a lease, or renews the operator's own lease. */
export function claimWork(
  core: Core,
  call: OperatorCall,
  workId: string,
): Promise<Result<WorkRecord>> {
  return core.db.write(async (tx) => {
    const item = await findItem(tx, call, workId);
    if (!item.ok) return item;
    const job = { tx, core, call, item: item.value };
    const claimed = await claim(job);
    if (!claimed.ok) return claimed;
    await recordStep(job, "work.claim", { leaseUntil: isoTime(claimed.value.leaseUntil) });
    return readWork(core, workId, tx);
  });
}
