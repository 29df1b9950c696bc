import type { Tx } from "#ports/db.ts";
import type { Schema } from "#ports/schema.ts";
import { keysOf } from "./sql/json-rows.ts";
import { preparedInsert, preparedInserts } from "./sql/prepared.ts";
import type { Erase } from "./closed-account.ts";
import { actorOf, type Call, type TxScope } from "./call.ts";

/** Never holds a secret. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>;

const columns = {
  id: "text",
  at: "integer",
  actor: "text",
  action: "text",
  subject: "text",
  detail: "text",
  ip_address: "text",
} as const;

const insertEntry = preparedInsert("audit", keysOf(columns));

type Caller = TxScope & { readonly call: Call };
export type AuditEntry = Schema["audit"];

/**
 * Records what the caller did to a subject, in the same transaction, so neither exists without the other. The action
 * is a noun and a verb, such as `order.place`.
 */
export function audit(
  caller: Caller,
  action: string,
  subject: string,
  detail: AuditDetail = {},
): Promise<void> {
  return insertEntry(caller.tx, auditEntry(caller, action, subject, detail));
}

/** An entry for `auditAll`. */
export function auditEntry(
  { core, call }: Caller,
  action: string,
  subject: string,
  detail: AuditDetail,
): AuditEntry {
  return {
    id: core.ids.next("auditEntry"),
    at: core.clock.now(),
    actor: actorOf(call),
    action,
    subject,
    detail: JSON.stringify(detail),
    ip_address: call.client.ipAddress,
  };
}

/** Records entries in one statement. */
export const auditAll = preparedInserts("audit", columns);

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

/** Erases the addresses of entries before a time, oldest first, and returns how many entries it has passed. */
export async function eraseOldAddresses(tx: Tx, before: number, limit: number): Promise<number> {
  const { erased_to: erasedTo } = await tx
    .selectFrom("audit_erasure")
    .select("erased_to")
    .where("id", "=", 1)
    .executeTakeFirstOrThrow();
  const entries = await tx
    .selectFrom("audit")
    .select(["id", "at"])
    .where("id", ">", erasedTo)
    .orderBy("id")
    .limit(limit)
    .execute();
  const young = entries.findIndex(({ at }) => at >= before);
  const old = young === -1 ? entries : entries.slice(0, young);
  const last = old.at(-1);
  if (last === undefined) return 0;
  await tx
    .updateTable("audit")
    .set({ ip_address: "" })
    .where("id", ">", erasedTo)
    .where("id", "<=", last.id)
    .where("ip_address", "<>", "")
    .execute();
  await tx.updateTable("audit_erasure").set({ erased_to: last.id }).where("id", "=", 1).execute();
  return old.length;
}
