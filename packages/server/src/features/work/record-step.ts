import { audit, type AuditEntry } from "#kernel/audit.ts";
import type { Job } from "./work-item.ts";

type Detail = NonNullable<AuditEntry["detail"]>;

/** What a step did to something other than the item: a second entry, found under that subject. */
export interface Deed {
  readonly action: string;
  readonly subject: string;
  readonly detail: Detail;
}

/** Records an operator's step on an item, and what it did beyond that. */
export async function recordStep(
  { tx, core, call, item }: Job,
  action: string,
  detail: Detail,
  deed?: Deed,
): Promise<void> {
  const from = { actor: call.operator.operatorId, ipAddress: call.client.ipAddress };
  const about = { kind: item.kind, about: item.subjectId };
  await audit(tx, core, { ...from, action, subject: item.id, detail: { ...about, ...detail } });
  if (deed === undefined) return;
  await audit(tx, core, { ...from, ...deed, detail: { workId: item.id, ...deed.detail } });
}
