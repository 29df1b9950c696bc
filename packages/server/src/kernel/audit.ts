import type { Tx } from "#ports/db.ts";
import { preparedInsert } from "./sql/prepared.ts";
import type { Core } from "./core.ts";

/** Who did what to what, from where. Never a secret, in any field. */
export interface AuditEntry {
  /** An account, an operator, or `system`. */
  readonly actor: string;
  /** A noun and a verb: `order.place`, `session.start`. */
  readonly action: string;
  readonly subject: string;
  readonly detail?: Readonly<Record<string, string | number | boolean | null>>;
  readonly ipAddress: string;
}

const insertEntry = preparedInsert("audit", [
  "id",
  "at",
  "actor",
  "action",
  "subject",
  "detail",
  "ip_address",
]);

/** Written in the transaction of the deed itself: the one is never there without the other. */
export async function audit(tx: Tx, core: Core, entry: AuditEntry): Promise<void> {
  await insertEntry(tx, {
    id: core.ids.next("auditEntry"),
    at: core.clock.now(),
    actor: entry.actor,
    action: entry.action,
    subject: entry.subject,
    detail: JSON.stringify(entry.detail ?? {}),
    ip_address: entry.ipAddress,
  });
}
