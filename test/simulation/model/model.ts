import { applyWorkStep, findWork, type FoundWork } from "./model-work.ts";
import { pay } from "./model-payments.ts";
import { applyPayoutStep, prepare } from "./model-payouts.ts";
import { isSignedIn, type Sent } from "./access-state.ts";
import { isAccessRequest, sentBy } from "./model-access.ts";
import { accept } from "./model-quotes.ts";
import { setupOperations, type OperationOf, type Request } from "./operations.ts";
import {
  account,
  emit,
  endServer,
  isUnfinished,
  newModel,
  newWork,
  openActions,
  unitCents,
  laterPrice,
  type Model,
  type ModelAccount,
  type ModelServer,
  type ModelWithdrawal,
  type ModelWork,
} from "./state.ts";

const discounts = [
  { minQuantity: 3, percent: 5 },
  { minQuantity: 5, percent: 12.5 },
];

/** What the client knew when it sent the request. */
export interface RequestContext {
  readonly requestedAt: number;
  /** The work item that the operator's step refers to. */
  readonly work: FoundWork | undefined;
  /** The withdrawals that a payout refers to. */
  readonly reviews: readonly (ModelWithdrawal | undefined)[];
  readonly sent: Sent;
}

/** Applies the operation and returns the expected outcome: `ok`, `replay` or a refusal code. */
export function apply(model: Model, operation: Request, requestContext: RequestContext): string {
  if (isAccessRequest(operation)) throw new Error(`model-access applies ${operation.kind}.`);
  if (isCustomers(operation)) {
    const { access } = account(model, operation);
    if (!isSignedIn(access, requestContext.sent.session)) return "authentication_required";
  }
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
    case "accept":
      return acceptOffer(model, operation);
    case "cancel":
      return cancel(model, operation);
    case "renewal":
      return setRenewal(model, operation);
    case "lock":
      return setLock(model, operation);
    case "saveAddress":
      return saveAddress(model, operation);
    case "removeAddress":
      return removeAddress(model, operation, requestContext);
    case "workStep":
      return applyWorkStep(model, operation, requestContext.work);
    case "prepare": {
      const { reviews } = requestContext;
      const request = operation.items.map(({ account, index }) => `${account}/${index}`);
      return withKey(model, operation, request.toSorted().join(), "replay", () =>
        prepare(model, operation, reviews),
      );
    }
    case "payoutStep":
      return applyPayoutStep(model, operation);
    case "suspend":
    case "resume":
      return suspend(model, operation, requestContext);
    case "sell":
      model.isHidden = operation.hidden;
      return "ok";
    case "adjust":
      return adjust(model, operation);
    case "address":
      return withKey(model, operation, operation.asset, "replay", () => "ok");
    case "register":
      return register(model, operation);
    // A pass runs several transactions. The checker compares each of them with the model.
    case "renew":
    case "settle":
    case "follow":
    case "sweep":
      return "ok";
  }
}

/** The state when a run begins. */
export function modelAfterSetup(): Model {
  const model = newModel();
  for (const operation of setupOperations) {
    const work = operation.kind === "workStep" ? findWork(model, operation.item) : undefined;
    const sent = sentBy(model, operation);
    const outcome = apply(model, operation, { requestedAt: model.now, work, reviews: [], sent });
    if (outcome !== "ok") throw new Error(`A setup operation failed: ${outcome}.`);
  }
  // The run's process restarts its id counter, so it must not start in the same millisecond.
  model.now += 1;
  return model;
}

const customersKinds = [
  ...(["order", "withdraw", "address", "act", "ddos", "accept", "cancel", "renewal"] as const),
  ...(["lock", "saveAddress", "removeAddress"] as const),
];

export type CustomersRequest = OperationOf<(typeof customersKinds)[number]>;

/** Whether the service rechecks the customer's session in each of its transactions. */
export function isCustomers(operation: Request): operation is CustomersRequest {
  return (customersKinds as readonly string[]).includes(operation.kind);
}

/** Only a successful operation uses up its key. */
function withKey(
  model: Model,
  operation: Keyed,
  request: string,
  mode: "replay" | "conflict",
  effect: () => string,
): string {
  const name = keyName(operation);
  const usedFor = model.keys.get(name);
  if (usedFor !== undefined) {
    return mode === "replay" && usedFor === request ? "replay" : "idempotency_conflict";
  }
  const outcome = effect();
  if (outcome === "ok") model.keys.set(name, request);
  return outcome;
}

type Keyed = Exclude<Extract<Request, { key: number }>, { kind: "saveAddress" | "removeAddress" }>;

export function hasKey(operation: Request): operation is Keyed {
  return (
    "key" in operation && operation.kind !== "saveAddress" && operation.kind !== "removeAddress"
  );
}

/** Identifies a key by its owner, operation and number. */
export function keyName(operation: Keyed): string {
  const owner =
    "operator" in operation ? `operator ${operation.operator}` : `account ${operation.account}`;
  return `${owner} ${operation.kind} ${operation.key}`;
}

function order(model: Model, operation: OperationOf<"order">): string {
  const { quantity } = operation;
  const owner = account(model, operation);
  return withKey(model, operation, `${quantity}`, "replay", () => {
    if (model.isHidden) {
      model.sales.add("HIDDEN");
      return "validation_failed";
    }
    const total = priceOf(quantity, model.now);
    if (owner.available < total) return "insufficient_balance";
    if (model.machines.FREE < quantity) return "capacity_exhausted";
    owner.available -= total;
    owner.orders += 1;
    if (model.now === laterPrice.from - 1) model.sales.add("LAST_OLD_PRICE");
    if (model.now === laterPrice.from) model.sales.add("FIRST_NEW_PRICE");
    emit(owner, "order.accepted");
    model.machines.FREE -= quantity;
    const least = Math.floor(total / quantity);
    for (let index = 0; index < quantity; index += 1) {
      owner.servers.push({
        number: model.nextServer,
        owner,
        state: "PROVISIONING",
        paidThrough: null,
        priceCents: least + (index < total - least * quantity ? 1 : 0),
        autoRenew: true,
        mode: "BASELINE",
        requestedMode: null,
        ddosCents: 0,
        offer: undefined,
        provision: newWork(),
        place: null,
        ddos: undefined,
        reclaim: undefined,
        actions: [],
        power: [],
      });
      model.nextServer += 1;
    }
    return "ok";
  });
}

/** Rounds half up. Deliberately a different formula from the service's. */
function priceOf(quantity: number, now: number): number {
  const unit = now < laterPrice.from ? unitCents : laterPrice.unitCents;
  const percent = Math.max(
    0,
    ...discounts.filter((d) => quantity >= d.minQuantity).map((d) => d.percent),
  );
  return Math.floor((unit * quantity * (1000 - percent * 10) + 500) / 1000);
}

function withdraw(model: Model, operation: OperationOf<"withdraw">): string {
  const { cents } = operation;
  const customer = account(model, operation);
  return withKey(model, operation, `${cents}`, "conflict", () => {
    const saved = customer.addresses.get(operation.key);
    const isKnown = saved !== undefined && saved.createdAt <= model.now - coolDownMs;
    if (isLocked(model, customer) && !isKnown) return "destination_not_allowed";
    if (customer.available < cents) return "insufficient_balance";
    customer.available -= cents;
    customer.held += cents;
    customer.withdrawals.push({
      owner: customer,
      cents,
      destination: destinationOf(operation),
      isPriced: false,
      payout: undefined,
      status: "PENDING_REVIEW",
      work: newWork(),
    });
    return "ok";
  });
}

/** Until an unlock takes effect, and until a new address is usable while withdrawals are locked. */
const coolDownMs = 48 * 3_600_000;

function isLocked({ now }: Model, { lock }: ModelAccount): boolean {
  return lock !== undefined && (lock.unlocksAt === null || now < lock.unlocksAt);
}

function setLock(model: Model, operation: OperationOf<"lock">): string {
  const customer = account(model, operation);
  if (operation.locked) customer.lock = { unlocksAt: null };
  else if (isLocked(model, customer) && customer.lock?.unlocksAt === null) {
    customer.lock = { unlocksAt: model.now + coolDownMs };
  }
  return "ok";
}

/** The checker adds the id, which the service chooses. */
function saveAddress(model: Model, operation: OperationOf<"saveAddress">): string {
  const { addresses } = account(model, operation);
  if (addresses.has(operation.key)) return "conflict";
  addresses.set(operation.key, { id: "", createdAt: model.now });
  return "ok";
}

function removeAddress(
  model: Model,
  operation: OperationOf<"removeAddress">,
  { sent }: RequestContext,
): string {
  const { addresses } = account(model, operation);
  if (addresses.get(operation.key)?.id !== sent.addressId) return "not_found";
  addresses.delete(operation.key);
  return "ok";
}

/** Only one withdrawal uses a key, so each has a destination of its own. Digits have one spelling. */
export function destinationOf({ account, key }: OperationOf<"withdraw" | "saveAddress">): string {
  return `0x${String(account * 100 + key).padStart(40, "1")}`;
}

function adjust(model: Model, operation: OperationOf<"adjust">): string {
  const { cents } = operation;
  const customer = account(model, operation);
  const request = `${operation.account} ${cents}`;
  if (customer.access.isClosed && cents > 0) return "conflict";
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

function unterminatedServer(model: Model, operation: { account: number; server: number }) {
  const server = account(model, operation).servers[operation.server];
  return server?.state === "TERMINATED" ? undefined : server;
}

function act(model: Model, operation: OperationOf<"act">): string {
  const server = unterminatedServer(model, operation);
  if (server === undefined) return "not_found";
  const request = `${operation.server} ${operation.action}`;
  return withKey(model, operation, request, "replay", () => {
    if (server.state !== "ACTIVE" && server.state !== "GRACE") return "server_not_ready";
    // Power actions that operators request do not count towards the customer's limit.
    const power = new Set(server.owner.servers.flatMap((own) => own.power.map(({ work }) => work)));
    const counts = (work: ModelWork) => isUnfinished(work) && !power.has(work);
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
  const server = unterminatedServer(model, operation);
  if (server === undefined) return "not_found";
  const request = `${operation.server} ${operation.mode}`;
  return withKey(model, operation, request, "replay", () => {
    requestMode(server, operation.mode);
    return "ok";
  });
}

function requestMode(server: ModelServer, mode: "BASELINE" | "ADVANCED"): void {
  const wanted = mode === server.mode ? null : mode;
  if (wanted === server.requestedMode) return;
  if (server.ddos !== undefined && isUnfinished(server.ddos)) server.ddos.state = "FAILED";
  server.requestedMode = wanted;
  server.offer = undefined;
  if (wanted !== null) server.ddos = { ...newWork(), mode: wanted };
}

function acceptOffer(model: Model, operation: OperationOf<"accept">): string {
  const server = unterminatedServer(model, operation);
  if (server === undefined) return "not_found";
  const request = `${operation.server} ${operation.cents}`;
  return withKey(model, operation, request, "replay", () => accept(model, server, operation.cents));
}

/** Possible until an operator holds the delivery. */
function cancel(model: Model, operation: OperationOf<"cancel">): string {
  const server = account(model, operation).servers[operation.server];
  if (server === undefined) return "not_found";
  return withKey(model, operation, `${operation.server}`, "replay", () => {
    if (server.state === "TERMINATED") return "not_found";
    const { provision } = server;
    const isHeld = provision.state === "CLAIMED" && provision.leaseUntil > model.now;
    if (server.state !== "PROVISIONING" || isHeld) return "server_not_ready";
    provision.state = "FAILED";
    endServer(model, server);
    server.owner.available += server.priceCents;
    model.machines.FREE += 1;
    return "ok";
  });
}

function setRenewal(model: Model, operation: OperationOf<"renewal">): string {
  const server = unterminatedServer(model, operation);
  if (server === undefined) return "not_found";
  server.autoRenew = operation.autoRenew;
  return "ok";
}

function suspend(
  model: Model,
  operation: OperationOf<"suspend" | "resume">,
  { requestedAt }: RequestContext,
): string {
  const server = account(model, operation).servers[operation.server];
  if (server === undefined) return "not_found";
  if (server.state === "PROVISIONING" || server.state === "TERMINATED") return "conflict";
  if ((operation.kind === "suspend") === (server.state === "SUSPENDED")) return "ok";
  if (operation.kind === "suspend") {
    server.state = "SUSPENDED";
    emit(server.owner, "server.suspended");
    endPowerWork(model, server);
    queuePowerWork(server, "power_off");
    return "ok";
  }
  server.state = (server.paidThrough ?? 0) <= requestedAt ? "GRACE" : "ACTIVE";
  emit(server.owner, server.state === "GRACE" ? "server.grace" : "server.active");
  const endedUnclaimed = endPowerWork(model, server);
  const last = server.power.findLast((power) => !power.endedUnclaimed);
  const isOn = last === undefined || (last.action === "reboot" && last.work.state === "DONE");
  if (!endedUnclaimed || !isOn) queuePowerWork(server, "reboot");
  return "ok";
}

/** Ends unfinished power work. Returns whether there was some that no operator held a claim on. */
function endPowerWork(model: Model, server: ModelServer): boolean {
  const pending = server.power.find(({ work }) => isUnfinished(work));
  if (pending === undefined) return false;
  const { work } = pending;
  pending.endedUnclaimed = work.state === "OPEN" || work.leaseUntil <= model.now;
  work.state = "FAILED";
  return pending.endedUnclaimed;
}

/** Adds power work to the account's actions, where operators find it. */
function queuePowerWork(server: ModelServer, action: "power_off" | "reboot"): void {
  const work = newWork();
  server.power.push({ action, work, endedUnclaimed: false });
  server.actions.push(work);
  server.owner.actions.push(work);
}
