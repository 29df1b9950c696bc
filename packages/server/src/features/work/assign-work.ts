import { findAssignee } from "#kernel/access/find-assignee.ts";
import { requireRole } from "#kernel/access/operator.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { refuseField, refuse } from "#kernel/result.ts";
import { assignItem } from "#kernel/work-queue/items.ts";
import type { Result } from "#ports/result.ts";
import { readWork } from "./read-work.ts";
import { recordStep } from "./record-step.ts";
import { findItem, roleFor } from "./work-item.ts";
import type { WorkRecord } from "./work-record.ts";

interface Assignment {
  readonly workId: string;
  /** A username, or null for no one. */
  readonly operator: string | null;
}

/** Says who should do an item. A claim on it stays: only a claim gives the right to do it. */
export function assignWork(
  core: Core,
  call: OperatorCall,
  { workId, operator }: Assignment,
): Promise<Result<WorkRecord>> {
  return core.db.write(async (tx) => {
    const item = await findItem(tx, call, workId);
    if (!item.ok) return item;
    const job = { tx, core, call, item: item.value };
    const assignee = await findAssignee(tx, operator);
    if (!assignee.ok) return assignee;
    const needed = roleFor(job.item.kind);
    if (assignee.value !== null && !requireRole(assignee.value, needed).ok) {
      return refuseField("operator", `must be an operator with the role ${needed} or a higher one`);
    }
    const to = assignee.value?.operatorId ?? null;
    if (!(await assignItem(tx, workId, to))) {
      return refuse("conflict", { message: "This work item has ended. Nothing is left to do." });
    }
    await recordStep(job, "work.assign", { to });
    return readWork(core, workId, tx);
  });
}
