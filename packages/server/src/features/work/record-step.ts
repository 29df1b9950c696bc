import { audit, type AuditDetail } from "#kernel/audit.ts";
import type { Deed, Job } from "#kernel/work-effects.ts";

/** Audits an operator's step on an item, and the change it made to something else. */
export async function recordStep(
  job: Job,
  action: string,
  detail: AuditDetail,
  deed?: Deed,
): Promise<void> {
  const { id, kind, subjectId } = job.item;
  await audit(job, action, id, { kind, about: subjectId, ...detail });
  if (deed === undefined) return;
  await audit(job, deed.action, deed.subject, { workId: id, ...deed.detail });
}
