import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { counts, readApprovals } from "#kernel/approvals.ts";
import type { Item, WorkEffects } from "#kernel/work-effects.ts";
import { setDetail, type WorkItem } from "#kernel/work-queue/items.ts";
import { isoTime } from "#kernel/iso-time.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { claim } from "./lease.ts";
import { readWork } from "./read-work.ts";
import { recordStep } from "./record-step.ts";
import { findItem } from "./work-item.ts";
import type { WorkRecord } from "./work-record.ts";

/** Claims an item for the length of a lease, or renews the operator's own lease. */
export async function claimWork(
  core: Core,
  call: OperatorCall,
  workId: string,
  effects: WorkEffects,
): Promise<Result<WorkRecord>> {
  const priced = await price(core, call, workId, effects);
  return core.db.write(async (tx) => {
    const item = await findItem(tx, call, workId);
    if (!item.ok) return item;
    const job = { tx, core, call, item: item.value };
    const { operatorId } = call.operator;
    const detail = priced && (await detailOfClaim({ tx, core }, operatorId, workId, priced));
    const claimed = await claim(job);
    if (!claimed.ok) return claimed;
    if (detail !== undefined) await setDetail(job, { workId, operatorId }, detail);
    const prepared = await effects[job.item.kind].claim?.(job);
    await recordStep(job, "work.claim", {
      leaseUntil: isoTime(claimed.value.leaseUntil),
      ...(detail?.["amount"] !== undefined && { amount: detail["amount"] }),
      ...prepared,
    });
    return readWork(core, workId, tx);
  });
}

/** Asked before the transaction, because prices come from outside. The transaction refuses unknown items itself. */
async function price(
  core: Core,
  call: OperatorCall,
  workId: string,
  effects: WorkEffects,
): Promise<WorkItem["detail"] | undefined> {
  const item = await findItem(core.db.read, call, workId);
  return item.ok ? effects[item.value.kind].price?.(core, item.value) : undefined;
}

/**
 * The detail of an item that is claimed now. A price stays while the operator renews the lease, and when the first of
 * two operators has paid it already.
 */
async function detailOfClaim(
  { tx, core }: { readonly tx: Tx; readonly core: Core },
  operatorId: string,
  workId: Item["id"],
  priced: WorkItem["detail"],
): Promise<WorkItem["detail"]> {
  const row = await tx
    .selectFrom("work")
    .select(["detail", "approvals", "claimed_by", "lease_until"])
    .where("id", "=", workId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const detail = JSON.parse(row.detail) as WorkItem["detail"];
  const isRenewal = row.claimed_by === operatorId && (row.lease_until ?? 0) > core.clock.now();
  const isPaid = readApprovals(row.approvals).some(
    (approval) => counts(approval) && approval.transactionId !== undefined,
  );
  const isKept = typeof detail["amount"] === "string" && (isRenewal || isPaid);
  return isKept ? detail : { ...detail, ...priced };
}
