import { readApprovals, type Approval } from "#kernel/approvals.ts";
import { readTicks } from "#kernel/checklists.ts";
import type { HeldJob, Job } from "#kernel/work-effects.ts";
import { latestRunOf, refuseDuringRun } from "#kernel/hardware-runs.ts";
import {
  claimItem,
  endItem,
  lockHeldItem,
  releaseItem,
  type Claim,
  type ItemEnd,
} from "#kernel/work-queue/items.ts";
import { waitForCustomer } from "#kernel/work-queue/waiting-work.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { selectWork, toRecord } from "./work-record.ts";

function claimOf({ call, item }: Job): Claim {
  return { workId: item.id, operatorId: call.operator.operatorId };
}

/** Claims an item, or extends the operator's own claim, for a full lease. */
export async function claim(job: Job): Promise<Result<{ readonly leaseUntil: number }>> {
  const claimed = await claimItem(job, claimOf(job));
  return claimed === undefined ? refuseNotHeld(job) : ok(claimed);
}

/**
 * Locks the server and then the item, whose lease the operator must hold. Every other step on either of them waits
 * for this transaction, so only one of many concurrent steps applies its effect.
 */
export async function lockHeld(job: Job): Promise<Result<HeldJob>> {
  const { tx, item } = job;
  if (item.serverId !== null) {
    await tx
      .selectFrom("servers")
      .select("id")
      .where("id", "=", item.serverId)
      .forUpdate()
      .execute();
  }
  const held = await lockHeldItem(job, claimOf(job));
  if (held === undefined) return refuseNotHeld(job);
  const detail = JSON.parse(held.detail) as HeldJob["detail"];
  const ticks = readTicks(held.ticks);
  return ok({ ...job, approvals: readApprovals(held.approvals), detail, ticks });
}

/** Reopens the operator's item for everyone. */
export async function release(job: Job, approvals?: readonly Approval[]): Promise<Result<void>> {
  const isReleased = await releaseItem(
    job,
    claimOf(job),
    approvals === undefined ? undefined : JSON.stringify(approvals),
  );
  return isReleased ? ok() : refuseNotHeld(job);
}

/** Lets the operator's item wait for the customer. */
export async function wait(job: Job, detail: HeldJob["detail"]): Promise<Result<void>> {
  return (await waitForCustomer(job, claimOf(job), detail)) ? ok() : refuseNotHeld(job);
}

/**
 * Ends the operator's item, unless a run may still change its machine, which could have another customer then. Returns
 * the item's last run, for the audit.
 */
export async function end(job: Job, how: ItemEnd): Promise<Result<{ readonly runId?: string }>> {
  const { id, machineId } = job.item;
  const idle = machineId === null ? ok() : await refuseDuringRun(job.tx, machineId);
  if (!idle.ok) return idle;
  if (!(await endItem(job, claimOf(job), how))) return refuseNotHeld(job);
  const runId = machineId === null ? undefined : await latestRunOf(job.tx, id);
  return ok(runId === undefined ? {} : { runId });
}

/** Always a conflict. The message says why the operator does not hold the item and what to do. */
async function refuseNotHeld({ tx, core, call, item }: Job): Promise<Result<never>> {
  const row = await selectWork(tx).where("work.id", "=", item.id).executeTakeFirstOrThrow();
  const { state, claimedBy, leaseUntil, outcome } = toRecord(core, row);
  const conflict = (message: string) => refuse("conflict", { message });
  if (state === "DONE" || state === "FAILED") {
    const ended =
      claimedBy === null ? "This work item has ended" : `${claimedBy} has ended this work item`;
    return conflict(`${ended} (${outcome ?? state}). Nothing is left to do.`);
  }
  if (state === "CLAIMED") {
    const until = isoTime(leaseUntil ?? 0);
    return conflict(
      `${claimedBy ?? "Another operator"} has claimed this work item until ${until}.`,
    );
  }
  return conflict(
    row.claimedBy === call.operator.username
      ? "Your claim on this work item has expired. Claim it again and check its state before you continue."
      : "This work item is not claimed. Claim it first.",
  );
}
