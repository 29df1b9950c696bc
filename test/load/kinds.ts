import { benchOrder } from "../../bench/support/rental.ts";
import type { Answer } from "#test/https-client.ts";
import { destination } from "#test/desk.ts";
import { password } from "#test/service.ts";
import type { Caller, Market } from "./market.ts";

/** A request that must be answered with that status, and what is learnt from the answer. */
export interface Planned {
  readonly side: "account" | "desk";
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly as?: Caller;
  readonly key?: string;
  readonly expected: number;
  readonly onAnswer?: (answer: Answer) => void;
  /** What is done when another answer came, or none. */
  readonly onOther?: () => void;
}

interface Kind {
  /** How many of a hundred requests, more or less. */
  readonly weight: number;
  /** Undefined when there is nothing yet that it could be about. */
  readonly plan: (market: Market) => Planned | undefined;
}

const read =
  (path: string): Kind["plan"] =>
  (market) => ({ side: "account", method: "GET", path, as: market.customer(), expected: 200 });

const open =
  (path: string): Kind["plan"] =>
  () => ({ side: "account", method: "GET", path, expected: 200 });

const quote = `/api/v1/quote?${new URLSearchParams({ ...benchOrder, quantity: "2" }).toString()}`;

/** What customers and operators do, in proportion: six of ten requests read. */
export const kinds = {
  me: { weight: 12, plan: read("/api/v1/me") },
  servers: { weight: 10, plan: read("/api/v1/servers") },
  ledger: { weight: 8, plan: read("/api/v1/ledger") },
  orders: { weight: 5, plan: read("/api/v1/orders") },
  sessions: { weight: 4, plan: read("/api/v1/sessions") },
  network: { weight: 3, plan: read("/api/v1/network") },
  deposits: { weight: 3, plan: read("/api/v1/deposits") },
  catalogue: { weight: 8, plan: open("/api/v1/catalogue") },
  quote: { weight: 7, plan: open(quote) },
  order: {
    weight: 6,
    plan: (market) => ({
      ...write(market, "/api/v1/orders", benchOrder, 201),
      onAnswer: ({ json }) => market.acknowledged.orders.push(idOf(json)),
    }),
  },
  withdrawal: {
    weight: 3,
    plan: (market) => ({
      ...write(market, "/api/v1/withdrawals", { asset: "ETH", destination, usd: 2 }, 201),
      onAnswer: ({ json }) => market.acknowledged.withdrawals.push(idOf(json)),
    }),
  },
  action: {
    weight: 3,
    plan: (market) => {
      const server = market.pick(market.servers);
      if (server === undefined) return undefined;
      const path = `/api/v1/servers/${server.id}/actions`;
      return {
        ...write(market, path, { action: "reboot" }, 202),
        as: server.owner,
        onAnswer: ({ json }) => market.acknowledged.actions.push(idOf(json)),
      };
    },
  },
  renewal: {
    weight: 1,
    plan: (market) => {
      const server = market.pick(market.servers);
      if (server === undefined) return undefined;
      const path = `/api/v1/servers/${server.id}/renewal`;
      const body = { autoRenew: true };
      return { side: "account", method: "PUT", path, body, as: server.owner, expected: 200 };
    },
  },
  depositAddress: {
    weight: 2,
    plan: (market) => ({
      ...write(market, "/api/v1/deposit-addresses", { asset: "USDT" }, 201),
      onAnswer: ({ json }) => market.addresses.push((json as { address: string }).address),
    }),
  },
  payment: {
    weight: 2,
    plan: (market) => {
      const address = market.pick(market.addresses);
      if (address === undefined) return undefined;
      const body = { address, amount: "5", confirmations: 12 };
      return desk(market, "POST", "/operator/v1/simulated-payments", 201, body);
    },
  },
  signIn: {
    weight: 0.2,
    plan: (market) => {
      const body = { username: market.pick(market.signers), password };
      const path = "/api/v1/auth/login";
      return { side: "account", method: "POST", path, body, expected: 200 };
    },
  },
  deskWork: { weight: 22.8, plan: nextDeskStep },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as readonly KindName[];
const weights = kindNames.map((name) => kinds[name].weight);
const allWeights = weights.reduce((sum, weight) => sum + weight, 0);

/** The next request of a run. What is not possible yet is a look at the account instead. */
export function planNext(market: Market): { readonly kind: KindName; readonly planned: Planned } {
  let left = market.random() * allWeights;
  for (const kind of kindNames) {
    left -= kinds[kind].weight;
    if (left >= 0) continue;
    const planned = kinds[kind].plan(market);
    if (planned !== undefined) return { kind, planned };
    break;
  }
  return { kind: "me", planned: kinds.me.plan(market) ?? never() };
}

/** An operator lists what is open, claims it and does it, one step a request. */
function nextDeskStep(market: Market): Planned | undefined {
  const done = market.claimed.shift();
  if (done !== undefined) {
    const body = done.kind === "WITHDRAWAL" ? { transactionId: `paid-${done.id}` } : {};
    const planned = desk(market, "POST", `/operator/v1/work/${done.id}/complete`, 200, body);
    return { ...planned, onAnswer: () => market.completed(done) };
  }
  const next = market.open.shift();
  if (next !== undefined) {
    const planned = desk(market, "POST", `/operator/v1/work/${next.id}/claim`, 200);
    const onOther = () => market.open.push(next);
    return { ...planned, onAnswer: () => market.claimed.push(next), onOther };
  }
  // Whoever waits for a list does not ask for another one.
  if (market.isListing) return undefined;
  market.isListing = true;
  const planned = desk(market, "GET", `/operator/v1/work?state=OPEN${market.afterListed}`, 200);
  const onOther = () => (market.isListing = false);
  return { ...planned, onAnswer: (answer) => market.listed(answer), onOther };
}

function write(market: Market, path: string, body: object, expected: number) {
  const key = market.nextKey();
  const as = market.customer();
  return { side: "account", method: "POST", path, body, as, key, expected } as const;
}

function desk(
  { operator }: Market,
  method: string,
  path: string,
  expected: number,
  body?: object,
): Planned {
  return { side: "desk", method, path, as: operator, expected, ...(body && { body }) };
}

function idOf(json: unknown): string {
  return (json as { id: string }).id;
}

function never(): never {
  throw new Error("the account can always be read");
}
