/**
 * What the service should know, in the fewest words: no database and no ids. Time is a number that
 * only the driver of a run moves.
 */
export interface Model {
  now: number;
  readonly accounts: ModelAccount[];
  /** How many machines of the one offer that a run rents from are in each state without a server. */
  readonly machines: Record<IdleMachineState, number>;
  /** The request of each key that was used. */
  readonly keys: Map<string, string>;
  readonly payments: Map<string, ModelPayment>;
  /** Those who registered in the course of a run. */
  readonly usernames: Set<string>;
  /** Servers are numbered as they are ordered: of two that are due at once the older comes first. */
  nextServer: number;
}

export type IdleMachineState = "FREE" | "DIRTY" | "RETIRED";

export interface ModelAccount {
  available: number;
  held: number;
  orders: number;
  readonly withdrawals: ModelWithdrawal[];
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
  /** The latest request for a mode, and the machine's wiping. */
  ddos: ModelWork | undefined;
  reclaim: ModelWork | undefined;
  readonly actions: ModelWork[];
  /** What operators were asked to do to its power, the latest last. */
  readonly power: PowerWork[];
}

export interface PowerWork {
  readonly action: "power_off" | "reboot";
  readonly work: ModelWork;
  /** Ended before anybody had claimed it. */
  isWithdrawn: boolean;
}

export interface ModelWithdrawal {
  readonly cents: number;
  status: "PENDING_REVIEW" | "PAID" | "REJECTED";
  readonly work: ModelWork;
}

export interface ModelWork {
  state: "OPEN" | "CLAIMED" | "DONE" | "FAILED";
  holder: number;
  leaseUntil: number;
  /** Who approved, and which transaction each named. */
  readonly approvals: Map<number, number>;
}

export interface ModelPayment {
  readonly account: number;
  readonly cents: number;
  /** All the confirmations that its network ever told of, the latest last. */
  readonly told: number[];
  /** Which of them the service knows of; -1 before any. */
  recorded: number;
  isCredited: boolean;
}

/** When every run begins, with so many machines and so much to spend. */
export const firstMoment = Date.UTC(2026, 10, 15, 9, 30);
export const freeMachines = 12;
export const startCents = [30_000, 12_000, 0] as const;
export const hourMs = 3_600_000;
export const termMs = 30 * 24 * hourMs;
export const graceMs = 72 * hourMs;
export const leaseMs = hourMs / 2;
export const confirmationsRequired = 12;
export const unitCents = 4_999;
/** From here on a withdrawal takes two operators. */
export const twoOperatorsFromCents = 9_000;
/** Few, so that a run reaches them. */
export const openActions = { perServer: 1, perAccount: 2 };

export function newWork(): ModelWork {
  return { state: "OPEN", holder: -1, leaseUntil: 0, approvals: new Map() };
}

export function newModel(): Model {
  return {
    now: firstMoment,
    accounts: startCents.map((available) => ({
      ...{ available, held: 0, orders: 0 },
      ...{ withdrawals: [], actions: [], servers: [] },
    })),
    machines: { FREE: freeMachines, DIRTY: 0, RETIRED: 0 },
    keys: new Map(),
    payments: new Map(),
    usernames: new Set(),
    nextServer: 0,
  };
}

export function account(model: Model, { account: index }: { readonly account: number }) {
  const found = model.accounts[index];
  if (found === undefined) throw new Error(`the model has no account ${index}`);
  return found;
}

/** A server that has ended wants nothing done any more. */
export function endServer(server: ModelServer): void {
  server.state = "TERMINATED";
  server.requestedMode = null;
  for (const work of [server.ddos, ...server.actions]) {
    if (work !== undefined && isLiving(work)) work.state = "FAILED";
  }
}

export function isLiving({ state }: ModelWork): boolean {
  return state === "OPEN" || state === "CLAIMED";
}
