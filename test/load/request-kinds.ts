import { benchOrder } from "../../bench/support/rental.ts";
import type { Answer } from "#test/https-client.ts";
import { destination } from "#test/desk.ts";
import { password } from "#test/service.ts";
import type { Caller, Workload } from "./workload.ts";

/** A request with the status that it must get. */
export interface PlannedRequest {
  readonly side: "account" | "operator";
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly as?: Caller;
  readonly key?: string;
  readonly expected: number;
  readonly onAnswer?: (answer: Answer) => void;
  /** Called when another answer came, or none. */
  readonly onOther?: () => void;
}

interface Kind {
  /** Relative frequency. The weights add up to about 100. */
  readonly weight: number;
  /** Returns undefined while the request cannot succeed, for example because no server exists yet. */
  readonly plan: (workload: Workload) => PlannedRequest | undefined;
}

const read =
  (path: string): Kind["plan"] =>
  (workload) => ({ side: "account", method: "GET", path, as: workload.customer(), expected: 200 });

const readSignedOut =
  (path: string): Kind["plan"] =>
  () => ({ side: "account", method: "GET", path, expected: 200 });

const quote = `/api/v1/quote?${new URLSearchParams({ ...benchOrder, quantity: "2" }).toString()}`;

/** The mix of customer and operator requests. Six of ten are reads by customers. */
export const requestKinds = {
  me: { weight: 12, plan: read("/api/v1/me") },
  servers: { weight: 10, plan: read("/api/v1/servers") },
  ledger: { weight: 8, plan: read("/api/v1/ledger") },
  orders: { weight: 5, plan: read("/api/v1/orders") },
  sessions: { weight: 4, plan: read("/api/v1/sessions") },
  network: { weight: 3, plan: read("/api/v1/network") },
  deposits: { weight: 3, plan: read("/api/v1/deposits") },
  catalogue: { weight: 8, plan: readSignedOut("/api/v1/catalogue") },
  quote: { weight: 7, plan: readSignedOut(quote) },
  order: {
    weight: 6,
    plan: (workload) => ({
      ...write(workload, "/api/v1/orders", benchOrder, 201),
      onAnswer: ({ json }) => workload.acknowledged.orders.push(idOf(json)),
    }),
  },
  withdrawal: {
    weight: 3,
    plan: (workload) => ({
      ...write(workload, "/api/v1/withdrawals", { asset: "ETH", destination, usd: 2 }, 201),
      onAnswer: ({ json }) => workload.acknowledged.withdrawals.push(idOf(json)),
    }),
  },
  action: {
    weight: 3,
    plan: (workload) => {
      const server = workload.pick(workload.servers);
      if (server === undefined) return undefined;
      const path = `/api/v1/servers/${server.id}/actions`;
      return {
        ...write(workload, path, { action: "reboot" }, 202),
        as: server.owner,
        onAnswer: ({ json }) => workload.acknowledged.actions.push(idOf(json)),
      };
    },
  },
  renewal: {
    weight: 1,
    plan: (workload) => {
      const server = workload.pick(workload.servers);
      if (server === undefined) return undefined;
      const path = `/api/v1/servers/${server.id}/renewal`;
      const body = { autoRenew: true };
      return { side: "account", method: "PUT", path, body, as: server.owner, expected: 200 };
    },
  },
  depositAddress: {
    weight: 2,
    plan: (workload) => ({
      ...write(workload, "/api/v1/deposit-addresses", { asset: "USDT" }, 201),
      onAnswer: ({ json }) => workload.addresses.push((json as { address: string }).address),
    }),
  },
  payment: {
    weight: 2,
    plan: (workload) => {
      const address = workload.pick(workload.addresses);
      if (address === undefined) return undefined;
      const body = { address, amount: "5", confirmations: 12 };
      return operatorRequest(workload, "POST", "/operator/v1/simulated-payments", 201, body);
    },
  },
  signIn: {
    weight: 0.2,
    plan: (workload) => {
      const body = { username: workload.pick(workload.signInUsernames), password };
      const path = "/api/v1/auth/login";
      return { side: "account", method: "POST", path, body, expected: 200 };
    },
  },
  operatorWork: { weight: 22.8, plan: nextOperatorStep },
} as const satisfies Record<string, Kind>;

export type RequestKind = keyof typeof requestKinds;
export const requestKindNames = Object.keys(requestKinds) as readonly RequestKind[];
const weights = requestKindNames.map((name) => requestKinds[name].weight);
const totalWeight = weights.reduce((sum, weight) => sum + weight, 0);

/** Draws the next request. Falls back to reading the account when the drawn kind is not possible yet. */
export function planNext(workload: Workload): {
  readonly kind: RequestKind;
  readonly planned: PlannedRequest;
} {
  let left = workload.random() * totalWeight;
  for (const kind of requestKindNames) {
    left -= requestKinds[kind].weight;
    if (left >= 0) continue;
    const planned = requestKinds[kind].plan(workload);
    if (planned !== undefined) return { kind, planned };
    break;
  }
  return { kind: "me", planned: requestKinds.me.plan(workload) ?? never() };
}

/** An operator lists open work items, claims them and completes them, one request per step. */
function nextOperatorStep(workload: Workload): PlannedRequest | undefined {
  const claimed = workload.claimed.shift();
  if (claimed !== undefined) {
    const body = claimed.kind === "WITHDRAWAL" ? { transactionId: `paid-${claimed.id}` } : {};
    const planned = operatorRequest(
      workload,
      "POST",
      `/operator/v1/work/${claimed.id}/complete`,
      200,
      body,
    );
    return { ...planned, onAnswer: () => workload.completed(claimed) };
  }
  const next = workload.open.shift();
  if (next !== undefined) {
    const planned = operatorRequest(workload, "POST", `/operator/v1/work/${next.id}/claim`, 200);
    const onOther = () => workload.open.push(next);
    return { ...planned, onAnswer: () => workload.claimed.push(next), onOther };
  }
  // At most one list request is in flight.
  if (workload.isListInFlight) return undefined;
  workload.isListInFlight = true;
  const planned = operatorRequest(
    workload,
    "GET",
    `/operator/v1/work?state=OPEN${workload.nextPageQuery}`,
    200,
  );
  const onOther = () => (workload.isListInFlight = false);
  return { ...planned, onAnswer: (answer) => workload.listed(answer), onOther };
}

function write(workload: Workload, path: string, body: object, expected: number) {
  const key = workload.nextKey();
  const as = workload.customer();
  return { side: "account", method: "POST", path, body, as, key, expected } as const;
}

function operatorRequest(
  { operator }: Workload,
  method: string,
  path: string,
  expected: number,
  body?: object,
): PlannedRequest {
  return { side: "operator", method, path, as: operator, expected, ...(body && { body }) };
}

function idOf(json: unknown): string {
  return (json as { id: string }).id;
}

function never(): never {
  throw new Error("Reading the account must always be possible.");
}
