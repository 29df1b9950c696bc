import { audit, type AuditDetail } from "#kernel/audit.ts";
import type { SideEffect, Job } from "#kernel/work-effects.ts";

/** Audits an operator's step on an item and its side effect. */
export async function recordStep(
  job: Job,
  action: string,
  detail: AuditDetail,
  sideEffect?: SideEffect,
): Promise<void> {
  const { id, kind, subjectId } = job.item;
  await audit(job, action, id, { kind, about: subjectId, ...detail });
  if (sideEffect === undefined) return;
  await audit(job, sideEffect.action, sideEffect.subject, { workId: id, ...sideEffect.detail });
}
