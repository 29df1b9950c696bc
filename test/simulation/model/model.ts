import { desk, findWork, type FoundWork } from "./model-desk.ts";
import { pay } from "./model-payments.ts";
import { prologue, type OperationOf, type Request } from "./operations.ts";
import {
  account,
  isLiving,
  newModel,
  newWork,
  openActions,
  unitCents,
  type Model,
  type ModelServer,
  type ModelWork,
} from "./state.ts";

const discounts = [
  { minQuantity: 3, percent: 5 },
  { minQuantity: 5, percent: 12.5 },
];

/** What was so when the operation was asked for, and is what it is about. */
export interface Occasion {
  readonly askedAt: number;
  /** The item that an operator looked up before the step on it. */
  readonly work: FoundWork | undefined;
}

/** Does the operation and says what the service must say: `ok`, `replay` or a code. */
export function apply(model: Model, operation: Request, occasion: Occasion): string {
  switch (operation.kind) {
    case "pay":
      return pay(model, operation);
    case "order":
      return order(model, operation);
    case "withdraw":
      return withdraw(model, operation);
    case "act":
      return act(model, operation);
    case "ddos":
      return ddos(model, operation);
    case "renewal":
      return setRenewal(model, operation);
    case "desk":
      return desk(model, operation, occasion.work);
    case "suspend":
    case "resume":
      return suspend(model, operation, occasion);
    case "adjust":
      return adjust(model, operation);
    case "address":
      return withKey(model, operation, operation.asset, "replay", () => "ok");
    case "register":
      return register(model, operation);
    // What a pass does is several transactions, each of which is held against the model by itself.
    case "renew":
    case "settle":
    case "sweep":
      return "ok";
  }
}

/** As things are when a run begins. */
export function modelAfterPrologue(): Model {
  const model = newModel();
  for (const operation of prologue) {
    const work = operation.kind === "desk" ? findWork(model, operation.item) : undefined;
    const outcome = apply(model, operation, { askedAt: model.now, work });
    if (outcome !== "ok") throw new Error(`the prologue came to ${outcome}`);
  }
  // The process of the run numbers its identifiers anew, so it begins in another millisecond.
  model.now += 1;
  return model;
}

/** Only what succeeded has used its key. */
function withKey(
  model: Model,
  operation: Keyed,
  request: string,
  mode: "replay" | "conflict",
  effect: () => string,
): string {
  const name = keyName(operation);
  const known = model.keys.get(name);
  if (known !== undefined) {
    return mode === "replay" && known === request ? "replay" : "idempotency_conflict";
  }
  const outcome = effect();
  if (outcome === "ok") model.keys.set(name, request);
  return outcome;
}

type Keyed = Extract<Request, { key: number }>;

/** Whose key it is, for what, and which. */
export function keyName(operation: Keyed): string {
  const owner =
    operation.kind === "adjust" ? `operator ${operation.operator}` : `account ${operation.account}`;
  return `${owner} ${operation.kind} ${operation.key}`;
}

function order(model: Model, operation: OperationOf<"order">): string {
  const { quantity } = operation;
  const owner = account(model, operation);
  return withKey(model, operation, `${quantity}`, "replay", () => {
    const total = priceOf(quantity);
    if (owner.available < total) return "insufficient_balance";
    if (model.machines.FREE < quantity) return "capacity_exhausted";
    owner.available -= total;
    owner.orders += 1;
    model.machines.FREE -= quantity;
    const least = Math.floor(total / quantity);
    for (let index = 0; index < quantity; index += 1) {
      owner.servers.push({
        ...{ number: model.nextServer, owner, state: "PROVISIONING", paidThrough: null },
        priceCents: least + (index < total - least * quantity ? 1 : 0),
        ...{ autoRenew: true, mode: "BASELINE", requestedMode: null },
        ...{ provision: newWork(), ddos: undefined, reclaim: undefined, actions: [], power: [] },
      });
      model.nextServer += 1;
    }
    return "ok";
  });
}

/** In thousandths of a percent of a cent, rounded half up: written otherwise than the service does. */
function priceOf(quantity: number): number {
  const percent = Math.max(
    0,
    ...discounts.filter((d) => quantity >= d.minQuantity).map((d) => d.percent),
  );
  return Math.floor((unitCents * quantity * (1000 - percent * 10) + 500) / 1000);
}

function withdraw(model: Model, operation: OperationOf<"withdraw">): string {
  const { cents } = operation;
  const customer = account(model, operation);
  return withKey(model, operation, `${cents}`, "conflict", () => {
    if (customer.available < cents) return "insufficient_balance";
    customer.available -= cents;
    customer.held += cents;
    customer.withdrawals.push({ cents, status: "PENDING_REVIEW", work: newWork() });
    return "ok";
  });
}

function adjust(model: Model, operation: OperationOf<"adjust">): string {
  const { cents } = operation;
  const customer = account(model, operation);
  const request = `${operation.account} ${cents}`;
  return withKey(model, operation, request, "replay", () => {
    if (customer.available + cents < 0) return "insufficient_balance";
    customer.available += cents;
    return "ok";
  });
}

function register(model: Model, { name }: OperationOf<"register">): string {
  const username = usernameOf(name);
  if (model.usernames.has(username)) return "username_taken";
  model.usernames.add(username);
  return "ok";
}

export function usernameOf(name: number): string {
  return `newcomer-${name}`;
}

function living(model: Model, operation: { account: number; server: number }) {
  const server = account(model, operation).servers[operation.server];
  return server?.state === "TERMINATED" ? undefined : server;
}

function act(model: Model, operation: OperationOf<"act">): string {
  const server = living(model, operation);
  if (server === undefined) return "not_found";
  const request = `${operation.server} ${operation.action}`;
  return withKey(model, operation, request, "replay", () => {
    if (server.state !== "ACTIVE" && server.state !== "GRACE") return "server_not_ready";
    // What an operator asked for does not count against the customer.
    const power = new Set(server.owner.servers.flatMap((own) => own.power.map(({ work }) => work)));
    const counts = (work: ModelWork) => isLiving(work) && !power.has(work);
    const open = server.actions.filter(counts).length;
    const ofAccount = server.owner.actions.filter(counts).length;
    if (open >= openActions.perServer || ofAccount >= openActions.perAccount) {
      return "limit_reached";
    }
    const work = newWork();
    server.actions.push(work);
    server.owner.actions.push(work);
    return "ok";
  });
}

function ddos(model: Model, operation: OperationOf<"ddos">): string {
  const server = living(model, operation);
  if (server === undefined) return "not_found";
  const request = `${operation.server} ${operation.mode}`;
  return withKey(model, operation, request, "replay", () => {
    askFor(server, operation.mode);
    return "ok";
  });
}

function askFor(server: ModelServer, mode: "BASELINE" | "ADVANCED"): void {
  const wanted = mode === server.mode ? null : mode;
  if (wanted === server.requestedMode) return;
  if (server.ddos !== undefined && isLiving(server.ddos)) server.ddos.state = "FAILED";
  server.requestedMode = wanted;
  if (wanted !== null) server.ddos = newWork();
}

function setRenewal(model: Model, operation: OperationOf<"renewal">): string {
  const server = living(model, operation);
  if (server === undefined) return "not_found";
  server.autoRenew = operation.autoRenew;
  return "ok";
}

function suspend(
  model: Model,
  operation: OperationOf<"suspend" | "resume">,
  { askedAt }: Occasion,
): string {
  const server = account(model, operation).servers[operation.server];
  if (server === undefined) return "not_found";
  if (server.state === "PROVISIONING" || server.state === "TERMINATED") return "conflict";
  if ((operation.kind === "suspend") === (server.state === "SUSPENDED")) return "ok";
  if (operation.kind === "suspend") {
    server.state = "SUSPENDED";
    endPower(model, server);
    queuePower(server, "power_off");
    return "ok";
  }
  server.state = (server.paidThrough ?? 0) <= askedAt ? "GRACE" : "ACTIVE";
  const isWithdrawn = endPower(model, server);
  const last = server.power.findLast((power) => !power.isWithdrawn);
  const isOn = last === undefined || (last.action === "reboot" && last.work.state === "DONE");
  if (!isWithdrawn || !isOn) queuePower(server, "reboot");
  return "ok";
}

/** What is still to be done to its power is not: says whether that was something nobody had claimed. */
function endPower(model: Model, server: ModelServer): boolean {
  const living = server.power.find(({ work }) => isLiving(work));
  if (living === undefined) return false;
  const { work } = living;
  living.isWithdrawn = work.state === "OPEN" || work.leaseUntil <= model.now;
  work.state = "FAILED";
  return living.isWithdrawn;
}

/** Among the account's actions, where operators find it. */
function queuePower(server: ModelServer, action: "power_off" | "reboot"): void {
  const work = newWork();
  server.power.push({ action, work, isWithdrawn: false });
  server.actions.push(work);
  server.owner.actions.push(work);
}
