import { preparedInsert } from "./sql/prepared.ts";
import { actorOf, type Call, type TxScope } from "./call.ts";

/** Never holds a secret. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

const insertEntry = preparedInsert("audit", [
  "id",
  "at",
  "actor",
  "action",
  "subject",
  "detail",
  "ip_address",
]);

/**
 * Records what the caller did to a subject, in the same transaction, so neither exists without the other. The action
 * is a noun and a verb, such as `order.place`.
 */
export function audit(
  { tx, core, call }: TxScope & { readonly call: Call },
  action: string,
  subject: string,
  detail: AuditDetail = {},
): Promise<void> {
  return insertEntry(tx, {
    id: core.ids.next("auditEntry"),
    at: core.clock.now(),
    actor: actorOf(call),
    action,
    subject,
    detail: JSON.stringify(detail),
    ip_address: call.client.ipAddress,
  });
}
