import type { DdosMode, ServerState, Term } from "#ports/schema.ts";

/** A server as operators see it. Money in cents, time in epoch milliseconds. */
export interface OperatorServer {
  readonly id: string;
  readonly accountId: string;
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
  /** 1 or 0, as stored. */
  readonly autoRenew: number;
  readonly ddosMode: DdosMode;
  /** The customer's own name. Empty if there is none. */
  readonly label: string;
  readonly createdAt: number;
  /** Both null unless it is SUSPENDED. */
  readonly suspendedAt: number | null;
  readonly suspensionReason: string | null;
  readonly machineId: string;
  readonly ddosRequestedMode: DdosMode | null;
  readonly ddosQuoteCents: number | null;
}

/** The columns of `OperatorServer`, under its names. */
export const operatorServerColumns = [
  "id",
  "account_id as accountId",
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
  "machine_id as machineId",
  "ddos_requested_mode as ddosRequestedMode",
  "ddos_quote_cents as ddosQuoteCents",
] as const;
