import { audit, type AuditEntry } from "#kernel/audit.ts";
import type { Deed, Job } from "#kernel/work-effects.ts";

/** Audits an operator's step on an item, and the change it made to something else. */
export async function recordStep(
  { tx, core, call, item }: Job,
  action: string,
  detail: NonNullable<AuditEntry["detail"]>,
  deed?: Deed,
): Promise<void> {
  const from = { actor: call.operator.operatorId, ipAddress: call.client.ipAddress };
  const about = { kind: item.kind, about: item.subjectId };
  await audit(tx, core, { ...from, action, subject: item.id, detail: { ...about, ...detail } });
  if (deed === undefined) return;
  await audit(tx, core, { ...from, ...deed, detail: { workId: item.id, ...deed.detail } });
}
