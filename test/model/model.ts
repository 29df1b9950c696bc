/**
 * What the service should do, in the fewest words: no database, no time, no ids. The real thing is
 * driven with the same operations and must say the same and end the same.
 */
export interface Model {
  readonly accounts: ModelAccount[];
  /** Free machines of the one offer that a run rents from. */
  free: number;
  /** Machines that wait to be wiped never come back within a run. */
  readonly keys: Map<string, { readonly request: string; readonly outcome: string }>;
  readonly payments: Map<string, ModelPayment>;
}

export interface ModelAccount {
  available: number;
  held: number;
  orders: number;
  withdrawals: number;
  readonly servers: ModelServer[];
}

export interface ModelServer {
  state: "PROVISIONING" | "ACTIVE" | "TERMINATED";
  readonly priceCents: number;
  actions: number;
  requestedMode: "ADVANCED" | null;
}

export interface ModelPayment {
  readonly account: number;
  readonly cents: number;
  confirmations: number;
  isCredited: boolean;
}

export type Operation =
  | {
      readonly kind: "pay";
      readonly account: number;
      readonly cents: number;
      readonly payment: number;
      readonly confirmations: number;
    }
  | {
      readonly kind: "order";
      readonly account: number;
      readonly quantity: number;
      readonly key: number;
    }
  | {
      readonly kind: "withdraw";
      readonly account: number;
      readonly cents: number;
      readonly key: number;
    }
  | {
      readonly kind: "act";
      readonly account: number;
      readonly server: number;
      readonly action: "reboot" | "kvm";
      readonly key: number;
    }
  | {
      readonly kind: "ddos";
      readonly account: number;
      readonly server: number;
      readonly mode: "BASELINE" | "ADVANCED";
      readonly key: number;
    }
  | { readonly kind: "provision"; readonly account: number; readonly server: number }
  | { readonly kind: "abandon"; readonly account: number; readonly server: number }
  | { readonly kind: "restart" };

export const confirmationsRequired = 12;
export const unitCents = 4_999;
const discounts = [
  { minQuantity: 3, percent: 5 },
  { minQuantity: 5, percent: 12.5 },
];

export function newModel(accounts: number, free: number): Model {
  return {
    accounts: Array.from({ length: accounts }, () => ({
      available: 0,
      held: 0,
      orders: 0,
      withdrawals: 0,
      servers: [],
    })),
    free,
    keys: new Map(),
    payments: new Map(),
  };
}

/** Does the operation and says what the service must say: `ok`, `replay` or a code. */
export function apply(model: Model, operation: Operation): string {
  switch (operation.kind) {
    case "pay":
      return pay(model, operation);
    case "order":
      return withKey(model, operation, `${operation.quantity}`, "replay", () =>
        order(model, operation),
      );
    case "withdraw":
      return withKey(model, operation, `${operation.cents}`, "conflict", () =>
        withdraw(model, operation),
      );
    case "act":
      return act(model, operation);
    case "ddos":
      return ddos(model, operation);
    case "provision":
    case "abandon":
      return deliver(model, operation);
    case "restart":
      return "ok";
  }
}

function account(model: Model, { account: index }: { readonly account: number }): ModelAccount {
  const found = model.accounts[index];
  if (found === undefined) throw new Error(`the model has no account ${index}`);
  return found;
}

function withKey(
  model: Model,
  operation: { readonly kind: string; readonly account: number; readonly key: number },
  request: string,
  mode: "replay" | "conflict",
  effect: () => string,
): string {
  const name = `${operation.account} ${operation.kind} ${operation.key}`;
  const known = model.keys.get(name);
  if (known !== undefined) {
    return mode === "replay" && known.request === request ? "replay" : "idempotency_conflict";
  }
  const outcome = effect();
  if (outcome === "ok") model.keys.set(name, { request, outcome });
  return outcome;
}

function order(model: Model, operation: Extract<Operation, { kind: "order" }>): string {
  const { quantity } = operation;
  const customer = account(model, operation);
  const total = priceOf(quantity);
  if (customer.available < total) return "insufficient_balance";
  if (model.free < quantity) return "capacity_exhausted";
  customer.available -= total;
  customer.orders += 1;
  model.free -= quantity;
  const least = Math.floor(total / quantity);
  for (let index = 0; index < quantity; index += 1) {
    const priceCents = least + (index < total - least * quantity ? 1 : 0);
    customer.servers.push({ state: "PROVISIONING", priceCents, actions: 0, requestedMode: null });
  }
  return "ok";
}

/** In thousandths of a percent of a cent, rounded half up: written otherwise than the service does. */
export function priceOf(quantity: number): number {
  const percent = Math.max(
    0,
    ...discounts.filter((d) => quantity >= d.minQuantity).map((d) => d.percent),
  );
  return Math.floor((unitCents * quantity * (1000 - percent * 10) + 500) / 1000);
}

function withdraw(model: Model, operation: Extract<Operation, { kind: "withdraw" }>): string {
  const customer = account(model, operation);
  if (customer.available < operation.cents) return "insufficient_balance";
  customer.available -= operation.cents;
  customer.held += operation.cents;
  customer.withdrawals += 1;
  return "ok";
}

function pay(model: Model, operation: Extract<Operation, { kind: "pay" }>): string {
  const name = `${operation.account} ${operation.payment}`;
  const known = model.payments.get(name);
  const payment = known ?? {
    account: operation.account,
    cents: operation.cents,
    confirmations: 0,
    isCredited: false,
  };
  payment.confirmations = operation.confirmations;
  model.payments.set(name, payment);
  if (!payment.isCredited && payment.confirmations >= confirmationsRequired) {
    payment.isCredited = true;
    account(model, operation).available += payment.cents;
  }
  return "ok";
}

function living(
  model: Model,
  operation: { readonly account: number; readonly server: number },
): ModelServer | undefined {
  const server = account(model, operation).servers[operation.server];
  return server?.state === "TERMINATED" ? undefined : server;
}

function act(model: Model, operation: Extract<Operation, { kind: "act" }>): string {
  const server = living(model, operation);
  if (server === undefined) return "not_found";
  return withKey(model, operation, `${operation.server} ${operation.action}`, "replay", () => {
    if (server.state !== "ACTIVE") return "server_not_ready";
    server.actions += 1;
    return "ok";
  });
}

function ddos(model: Model, operation: Extract<Operation, { kind: "ddos" }>): string {
  const server = living(model, operation);
  if (server === undefined) return "not_found";
  return withKey(model, operation, `${operation.server} ${operation.mode}`, "replay", () => {
    server.requestedMode = operation.mode === "ADVANCED" ? "ADVANCED" : null;
    return "ok";
  });
}

function deliver(
  model: Model,
  operation: Extract<Operation, { kind: "provision" | "abandon" }>,
): string {
  const customer = account(model, operation);
  const server = customer.servers[operation.server];
  if (server?.state !== "PROVISIONING") return "conflict";
  if (operation.kind === "provision") {
    server.state = "ACTIVE";
    return "ok";
  }
  server.state = "TERMINATED";
  server.requestedMode = null;
  customer.available += server.priceCents;
  model.free += 1;
  return "ok";
}
