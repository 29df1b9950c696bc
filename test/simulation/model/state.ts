import type { EventType } from "@ironlease/contract";
import { newAccess, type ModelAccess } from "./access-state.ts";

/** The state that the service should have, without a database or ids. Only the run changes the time. */
export interface Model {
  now: number;
  readonly accounts: ModelAccount[];
  /** Number of machines without a server, by state. */
  readonly machines: Record<IdleMachineState, number>;
  /** The places of the region's subnets, which give out one IPv4 and one IPv6 address together. */
  readonly places: { next: number; readonly released: Set<number> };
  /** The request of each used idempotency key. */
  readonly keys: Map<string, string>;
  readonly payments: Map<string, ModelPayment>;
  /** Oldest first. */
  readonly payouts: ModelPayout[];
  /** Who tried to broadcast a payout that needs two operators, for the tally. */
  readonly broadcasts: Set<"BY_PREPARER" | "BY_SECOND_OPERATOR">;
  /** Usernames registered during the run. */
  readonly usernames: Set<string>;
  /** Whether the only offer is hidden. */
  isHidden: boolean;
  /** What happened to orders of a hidden offer or at a change of price, for the tally. */
  readonly sales: Set<"HIDDEN" | "LAST_OLD_PRICE" | "FIRST_NEW_PRICE">;
  /** Every kind of event that has happened to a quote, for the tally. */
  readonly quotes: Set<"OFFERED" | "ACCEPTED" | "CHARGED" | "POSTPONED" | "EXPIRED">;
  /** The kind of every request that changed how a customer signs in, or closed an account, for the tally. */
  readonly accessChanges: string[];
  /** Number of the next server. Of two servers due at the same time, the lower number is renewed first. */
  nextServer: number;
}

export type IdleMachineState = "FREE" | "DIRTY" | "RETIRED";

export interface ModelAccount {
  available: number;
  held: number;
  orders: number;
  /** Number of messages with the outcome of a request. */
  outcomes: number;
  /** Number of messages from the service itself. */
  notices: number;
  /** How many of each event the outbox must hold. */
  readonly events: Map<EventType, number>;
  readonly withdrawals: ModelWithdrawal[];
  /** Undefined if withdrawals were never locked. */
  lock: { readonly unlocksAt: number | null } | undefined;
  /** Saved withdrawal addresses, by the key whose withdrawal names the address. */
  readonly addresses: Map<number, { readonly id: string; readonly createdAt: number }>;
  access: ModelAccess;
  readonly actions: ModelWork[];
  readonly servers: ModelServer[];
}

export interface ModelServer {
  readonly number: number;
  readonly priceCents: number;
  readonly owner: ModelAccount;
  state: "PROVISIONING" | "ACTIVE" | "GRACE" | "SUSPENDED" | "TERMINATED";
  paidThrough: number | null;
  autoRenew: boolean;
  mode: "BASELINE" | "ADVANCED";
  requestedMode: "BASELINE" | "ADVANCED" | null;
  readonly provision: ModelWork;
  /** Reserved by the first claim of the delivery, assigned by its completion. */
  place: number | null;
  /** What ADVANCED adds to every renewal. */
  ddosCents: number;
  /** The quote for the requested ADVANCED. */
  offer: { readonly cents: number; readonly expiresAt: number; isAccepted: boolean } | undefined;
  /** The latest request for a DDoS mode. */
  ddos: ModelWork | undefined;
  /** The wiping of the machine. */
  reclaim: ModelWork | undefined;
  readonly actions: ModelWork[];
  /** Power actions for suspending and resuming, latest last. */
  readonly power: PowerWork[];
}

export interface PowerWork {
  /** Undefined once the account has been closed. */
  action: "power_off" | "reboot" | undefined;
  readonly work: ModelWork;
  /** Whether it ended while no operator held a claim on it. */
  endedUnclaimed: boolean;
}

export interface ModelWithdrawal {
  readonly owner: ModelAccount;
  readonly cents: number;
  /** No other withdrawal has it. */
  readonly destination: string;
  /** Whether the last claim fixed the amount in coins. */
  isPriced: boolean;
  /** The payout that is about to pay it, or has paid it. */
  payout: ModelPayout | undefined;
  status: "PENDING_REVIEW" | "PAID" | "REJECTED";
  readonly work: ModelWork;
}

export interface ModelPayout {
  readonly withdrawals: readonly ModelWithdrawal[];
  readonly preparedBy: number;
  readonly cents: number;
  readonly expiresAt: number;
  state: "PREPARED" | "SIGNED" | "BROADCAST" | "CONFIRMED" | "CANCELLED" | "FAILED";
}

export interface ModelWork {
  state: "OPEN" | "CLAIMED" | "DONE" | "FAILED";
  holder: number;
  leaseUntil: number;
  /** The transaction that each approving operator named. */
  readonly approvals: Map<number, number>;
  /** The DDoS mode that it applies. */
  readonly mode?: "BASELINE" | "ADVANCED";
  /** When the last message said that the balance does not cover the quote. */
  shortToldAt?: number;
}

export interface ModelPayment {
  readonly account: number;
  readonly cents: number;
  /** All confirmation counts that the network has reported, latest last. */
  readonly reported: number[];
  /** Index of the report that the service has recorded, or -1. */
  recorded: number;
  isCredited: boolean;
}

/** The initial state of every run. */
export const startTime = Date.UTC(2026, 10, 15, 9, 30);
export const freeMachines = 12;
export const initialBalances = [30_000, 12_000, 0] as const;
export const hourMs = 3_600_000;
export const termMs = 30 * 24 * hourMs;
export const graceMs = 72 * hourMs;
export const leaseMs = hourMs / 2;
export const unsignedPayoutMs = hourMs / 2;
export const confirmationsRequired = 12;
export const unitCents = 4_999;
/** A scheduled price, which begins during most runs. */
export const laterPrice = { unitCents: 6_501, from: startTime + 2 * 86_400_000 } as const;
/** Withdrawals of this amount or more need approval by two operators. */
export const twoOperatorsFromCents = 9_000;
/** Low limits, so that runs reach them. */
export const openActions = { perServer: 1, perAccount: 2 };

export function newWork(): ModelWork {
  return { state: "OPEN", holder: -1, leaseUntil: 0, approvals: new Map() };
}

export function newModel(): Model {
  return {
    now: startTime,
    accounts: initialBalances.map((available) => ({
      available,
      held: 0,
      orders: 0,
      outcomes: 0,
      notices: 0,
      events: new Map(),
      withdrawals: [],
      lock: undefined,
      addresses: new Map(),
      access: newAccess({ id: "", signedInAt: startTime }, ""),
      actions: [],
      servers: [],
    })),
    machines: { FREE: freeMachines, DIRTY: 0, RETIRED: 0 },
    places: { next: 0, released: new Set() },
    keys: new Map(),
    payments: new Map(),
    payouts: [],
    broadcasts: new Set(),
    usernames: new Set(),
    isHidden: false,
    sales: new Set(),
    quotes: new Set(),
    accessChanges: [],
    nextServer: 0,
  };
}

export function account(model: Model, { account: index }: { readonly account: number }) {
  const found = model.accounts[index];
  if (found === undefined) throw new Error(`The model has no account ${index}.`);
  return found;
}

/** A closed account gets no events. */
export function emit({ access, events }: ModelAccount, type: EventType): void {
  if (access.isClosed) return;
  events.set(type, (events.get(type) ?? 0) + 1);
}

/** Takes the lowest released place, or the next unused one. */
export function takePlace({ places }: Model): number {
  const released = [...places.released].toSorted((a, b) => a - b)[0];
  if (released === undefined) return places.next++;
  places.released.delete(released);
  return released;
}

/** Terminates the server, frees its addresses and cancels its unfinished work. */
export function endServer({ places }: Model, server: ModelServer): void {
  server.state = "TERMINATED";
  if (server.place !== null) places.released.add(server.place);
  server.place = null;
  emit(server.owner, "server.terminated");
  server.requestedMode = null;
  server.offer = undefined;
  for (const work of [server.ddos, ...server.actions]) {
    if (work !== undefined && isUnfinished(work)) work.state = "FAILED";
  }
}

export function isUnfinished({ state }: ModelWork): boolean {
  return state === "OPEN" || state === "CLAIMED";
}
