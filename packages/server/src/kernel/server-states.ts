import type { TxScope } from "./call.ts";
import type { Erase } from "./closed-account.ts";
import type { Tx } from "#ports/db.ts";
import { jsonRows, toJson } from "./sql/json-rows.ts";
import { prepared, preparedInsert } from "./sql/prepared.ts";
import type { DdosMode, Schema, ServerState } from "#ports/schema.ts";

/**
 * Every write to `servers`. Each move states the expected state in its condition, or its caller holds the row's lock.
 * A move returns false when the server was not in that state.
 */

const insertServer = preparedInsert("servers", [
  "id",
  "account_id",
  "order_id",
  "config_id",
  "region_id",
  "os_id",
  "hostname",
  "state",
  "term",
  "price_cents",
  "paid_through",
  "grace_until",
  "auto_renew",
  "ddos_mode",
  "ddos_requested_mode",
  "ddos_quote_accepted",
  "machine_id",
  "created_at",
]);

export type NewServer = Pick<
  Schema["servers"],
  | "id"
  | "account_id"
  | "order_id"
  | "config_id"
  | "region_id"
  | "os_id"
  | "term"
  | "price_cents"
  | "machine_id"
  | "created_at"
>;

/** Adds a server that has been paid for and awaits delivery. */
export function addServer(tx: Tx, server: NewServer): Promise<void> {
  return insertServer(tx, {
    id: server.id,
    account_id: server.account_id,
    order_id: server.order_id,
    config_id: server.config_id,
    region_id: server.region_id,
    os_id: server.os_id,
    hostname: null,
    state: "PROVISIONING",
    term: server.term,
    price_cents: server.price_cents,
    paid_through: null,
    grace_until: null,
    auto_renew: 1,
    ddos_mode: "BASELINE",
    ddos_requested_mode: null,
    ddos_quote_accepted: 0,
    machine_id: server.machine_id,
    created_at: server.created_at,
  });
}

interface Delivery {
  readonly hostname: string;
  readonly paidThrough: number;
  readonly graceUntil: number;
}

/** PROVISIONING → ACTIVE. */
export async function activateServer(
  tx: Tx,
  serverId: string,
  { hostname, paidThrough, graceUntil }: Delivery,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("servers")
    .set({ state: "ACTIVE", hostname, paid_through: paidThrough, grace_until: graceUntil })
    .where("id", "=", serverId)
    .where("state", "=", "PROVISIONING")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** PROVISIONING → TERMINATED: the server is never delivered. */
export async function abandonServer({ tx, core }: TxScope, serverId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("servers")
    .set({ state: "TERMINATED", ended_at: core.clock.now(), ...noDdosRequest })
    .where("id", "=", serverId)
    .where("state", "=", "PROVISIONING")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** ACTIVE, GRACE or SUSPENDED → TERMINATED. */
export async function terminateServer(
  { tx, core }: TxScope,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("servers")
    .set({
      state: "TERMINATED",
      ended_at: core.clock.now(),
      ...noDdosRequest,
      suspended_at: null,
      suspension_reason: null,
    })
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .where("state", "in", ["ACTIVE", "GRACE", "SUSPENDED"])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What a renewal pass decides about and changes. */
interface Rent {
  readonly id: string;
  readonly state: ServerState;
  readonly paidThrough: number;
  readonly graceUntil: number;
}

/** A server as it was read, and as it is to be. */
export interface RentChange {
  readonly before: Rent;
  readonly after: Rent;
}

const rentColumns = {
  id: "text",
  from: "text",
  dueAt: "integer",
  state: "text",
  paidThrough: "integer",
  graceUntil: "integer",
} as const;

type ChangedRent = Rent & Readonly<{ from: ServerState; dueAt: number }>;

const updateRents = prepared(["changes"], (db, { changes }: { changes: string }) =>
  db
    .updateTable("servers")
    .from(jsonRows<ChangedRent>(rentColumns, changes).as("changed"))
    .set((eb) => ({
      state: eb.ref("changed.state"),
      paid_through: eb.ref("changed.paidThrough"),
      grace_until: eb.ref("changed.graceUntil"),
    }))
    .whereRef("servers.id", "=", "changed.id")
    .whereRef("servers.state", "=", "changed.from")
    .whereRef("servers.paid_through", "=", "changed.dueAt")
    .returning("servers.id"),
);

/** Extends servers, or puts them into or out of GRACE. Returns the ids of those that were still as they were read. */
export async function renewServers(
  tx: Tx,
  changes: readonly RentChange[],
): Promise<readonly string[]> {
  if (changes.length === 0) return [];
  const rows = changes.map(({ before, after: { id, state, paidThrough, graceUntil } }) => {
    const expected = { from: before.state, dueAt: before.paidThrough };
    return { id, ...expected, state, paidThrough, graceUntil };
  });
  const saved = await updateRents(tx, { changes: toJson(rentColumns, rows) });
  return saved.map(({ id }) => id);
}

interface Suspension {
  readonly state: ServerState;
  /** Both null when the server is resumed. */
  readonly suspendedAt: number | null;
  readonly suspensionReason: string | null;
}

/** Suspends or resumes a server whose row the transaction holds. */
export async function setSuspension(
  tx: Tx,
  serverId: string,
  { state, suspendedAt, suspensionReason }: Suspension,
): Promise<void> {
  await tx
    .updateTable("servers")
    .set({ state, suspended_at: suspendedAt, suspension_reason: suspensionReason })
    .where("id", "=", serverId)
    .execute();
}

export interface OwnServer {
  readonly accountId: string;
  readonly serverId: string;
}

/** Switches automatic renewal of a server whose row the transaction holds. */
export async function setAutoRenew(
  tx: Tx,
  { accountId, serverId }: OwnServer,
  autoRenew: 0 | 1,
): Promise<void> {
  await tx
    .updateTable("servers")
    .set({ auto_renew: autoRenew })
    .where("id", "=", serverId)
    .where("account_id", "=", accountId)
    .execute();
}

/** Renames a server whose row the transaction holds. */
export async function setServerLabel(
  tx: Tx,
  { accountId, serverId }: OwnServer,
  label: string,
): Promise<void> {
  await tx
    .updateTable("servers")
    .set({ label })
    .where("id", "=", serverId)
    .where("account_id", "=", accountId)
    .execute();
}

/** Without a request there is no quote either. */
export const noDdosRequest = {
  ddos_requested_mode: null,
  ddos_offer_cents: null,
  ddos_offered_at: null,
  ddos_offer_expires_at: null,
  ddos_offer_accepted_at: null,
} as const;

/** Records the DDoS mode that the customer requests, or null when the request is withdrawn or expires. */
export async function setRequestedDdosMode(
  tx: Tx,
  { accountId, serverId }: OwnServer,
  mode: DdosMode | null,
): Promise<void> {
  await tx
    .updateTable("servers")
    .set({ ...noDdosRequest, ddos_requested_mode: mode })
    .where("id", "=", serverId)
    .where("account_id", "=", accountId)
    .execute();
}

/** Clears the request and leaves the mode as it is. */
export async function declineRequestedDdosMode(
  tx: Tx,
  serverId: string,
  mode: DdosMode | null,
): Promise<boolean> {
  const { numUpdatedRows } = await withRequestedMode(tx, serverId, mode)
    .set(noDdosRequest)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** An update of a server with that request. `ddos-quotes.ts` sets the price columns through it. */
export function withRequestedMode(tx: Tx, serverId: string, mode: DdosMode | null) {
  return tx
    .updateTable("servers")
    .where("id", "=", serverId)
    .where("state", "<>", "TERMINATED")
    .where("ddos_requested_mode", "=", mode);
}

/** Erases the customer's own names of servers. */
export const eraseLabels: Erase = async ({ tx }, accountId) => {
  await tx
    .updateTable("servers")
    .set({ label: "" })
    .where("account_id", "=", accountId)
    .where("label", "<>", "")
    .execute();
};
