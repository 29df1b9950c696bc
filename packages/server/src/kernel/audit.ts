import { preparedInsert } from "./sql/prepared.ts";
import type { Erase } from "./closed-account.ts";
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

/**
 * Erases addresses and details of entries by an account that closes, and addresses of refused sign-ins to it. What
 * happened, when and to which record stays. What operators and the service recorded stays whole.
 */
export const eraseAudit: Erase = async ({ tx }, accountId) => {
  await tx
    .updateTable("audit")
    .set({ ip_address: "", detail: "{}" })
    .where("actor", "=", accountId)
    .execute();
  await tx
    .updateTable("audit")
    .set({ ip_address: "" })
    .where("subject", "=", accountId)
    .where("actor", "=", "nobody")
    .execute();
};
