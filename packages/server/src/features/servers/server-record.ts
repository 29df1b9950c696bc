import type { Tx } from "#ports/db.ts";
import type { DdosMode, ServerState, Term } from "#ports/schema.ts";

/** A rented server as its owner sees it. Money in cents, time in epoch milliseconds. */
export interface ServerRecord {
  readonly id: string;
  readonly orderId: string;
  readonly configId: string;
  readonly osId: string;
  readonly hostname: string | null;
  readonly state: ServerState;
  readonly region: string;
  readonly term: Term;
  readonly priceCents: number;
  /** What ADVANCED adds to every renewal. */
  readonly ddosCents: number;
  readonly paidThrough: number | null;
  readonly graceUntil: number | null;
  /** 1 or 0, as stored. Converting it here would copy the list an extra time. */
  readonly autoRenew: number;
  readonly ddosMode: DdosMode;
  /** The customer's own name. Empty if there is none. */
  readonly label: string;
  readonly createdAt: number;
  /** Both null unless it is SUSPENDED. */
  readonly suspendedAt: number | null;
  readonly suspensionReason: string | null;
}

/** The columns of `ServerRecord`, under its names. */
export const recordColumns = [
  "id",
  "order_id as orderId",
  "config_id as configId",
  "os_id as osId",
  "hostname",
  "state",
  "region_id as region",
  "term",
  "price_cents as priceCents",
  "ddos_cents as ddosCents",
  "paid_through as paidThrough",
  "grace_until as graceUntil",
  "auto_renew as autoRenew",
  "ddos_mode as ddosMode",
  "label",
  "created_at as createdAt",
  "suspended_at as suspendedAt",
  "suspension_reason as suspensionReason",
] as const;

/**
 * Locks one of the account's own current servers. The renewal pass holds the same row while it charges, so the record
 * never shows a partial renewal.
 */
export async function lockRecord(
  tx: Tx,
  accountId: string,
  serverId: string,
): Promise<ServerRecord | undefined> {
  return tx
    .selectFrom("servers")
    .select(recordColumns)
    .where("id", "=", serverId)
    .where("account_id", "=", accountId)
    .where("state", "<>", "TERMINATED")
    .forUpdate()
    .executeTakeFirst();
}
