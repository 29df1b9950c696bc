import { keys, latestPayout, type WorkItem, type OperationOf, type Request } from "./operations.ts";
import { isEmpty } from "./model-access.ts";
import { isCustomers } from "./model.ts";
import { account, isUnfinished, type Model, type ModelAccount, type ModelWork } from "./state.ts";

/** An operation with this index targets the last item in any state, which may be finished or missing. */
export const maxIndex = 9;

/**
 * Maps random indexes to targets that the operation can affect. Without this, a run would deliver, wipe or
 * pay out hardly anything. Indexes equal to `maxIndex` stay untargeted, to test refusals too.
 */
export function chooseTarget(model: Model, operation: Request): Request {
  const request = chooseOperation(model, operation);
  const isOfSession = isCustomers(request) || sessionKinds.has(request.kind);
  if (!isOfSession || !("account" in request)) return request;
  const { isClosed, sessions } = account(model, request).access;
  return sessions.length > 0 || isClosed ? request : signIn(request.account);
}

const sessionKinds: ReadonlySet<string> = new Set([
  ...["beginFactor", "confirmFactor", "removeFactor", "changePassword", "close"],
  ...["addPasskey", "removePasskey"],
]);

function signIn(account: number): Request {
  return { kind: "signIn", account, isRight: true, proof: "app" };
}

function chooseOperation(model: Model, operation: Request): Request {
  if (operation.kind === "close") return chooseEmpty(model, operation);
  if ("passkey" in operation) return choosePasskey(model, operation);
  if (operation.kind === "workStep") return chooseStepTarget(model, operation);
  if (operation.kind === "prepare") return choosePayoutTargets(model, operation);
  if (operation.kind === "accept") return chooseOffer(model, operation);
  if (!("server" in operation)) return operation;
  const unterminated = model.accounts.flatMap(({ servers }, account) =>
    servers.flatMap(({ state }, server) => (state === "TERMINATED" ? [] : [{ account, server }])),
  );
  const { account: owner, server: index } = operation;
  if (index === maxIndex)
    return { ...operation, server: lastIndex(account(model, operation).servers) };
  const target = pick(unterminated, owner, index);
  return target === undefined ? orderInstead(owner, index) : { ...operation, ...target };
}

/** An account with a device, whether or not its passkey was removed. Without any, add a passkey. */
function choosePasskey(
  model: Model,
  operation: Extract<Request, { readonly passkey: number }>,
): Request {
  const withDevices = model.accounts.flatMap(({ access }, account) =>
    access.passkeys.length + access.removed.length > 0 ? [{ account }] : [],
  );
  const target = pick(withDevices, operation.account, 0);
  return target === undefined
    ? { kind: "addPasskey", account: operation.account, isCounting: true }
    : { ...operation, ...target };
}

/** An empty account, if there is one. */
function chooseEmpty(model: Model, operation: OperationOf<"close">): Request {
  const empty = model.accounts.flatMap(({ access }, account) =>
    !access.isClosed && isEmpty(model, account) ? [{ account }] : [],
  );
  return { ...operation, ...pick(empty, operation.account, 0) };
}

/** Mostly the price on offer. Without any offer, request ADVANCED. */
function chooseOffer(model: Model, operation: OperationOf<"accept">): Request {
  const { account: owner, server: index, key } = operation;
  const offers = model.accounts.flatMap(({ servers }, account) =>
    servers.flatMap(({ offer }, server) =>
      offer === undefined ? [] : [{ account, server, cents: offer.cents }],
    ),
  );
  const target = pick(offers, owner, index);
  if (target !== undefined) {
    return index === maxIndex
      ? { ...operation, ...target, cents: operation.cents }
      : { ...operation, ...target };
  }
  return chooseTarget(model, {
    kind: "ddos",
    account: owner,
    server: index,
    key,
    mode: "ADVANCED",
  });
}

/** Without any target, place an order to create one. */
function orderInstead(account: number, index: number): Request {
  return { kind: "order", account, key: index % keys, quantity: 1 };
}

const kinds = ["provision", "withdrawal", "ddos", "reclaim", "action"] as const;

/** Targets an unfinished work item of the step's kind, or of another kind if there is none. */
function chooseStepTarget(model: Model, step: OperationOf<"workStep">): Request {
  const { item } = step;
  const index = "server" in item ? item.server : item.index;
  if (index === maxIndex) {
    const works = worksOf(account(model, item), item.of);
    return { ...step, item: itemAt(item.of, item.account, lastIndex(works)) };
  }
  for (const of of new Set([item.of, ...kinds])) {
    const open = model.accounts.flatMap((customer, account) =>
      worksOf(customer, of).flatMap((work, at) => (isOpen(work) ? [itemAt(of, account, at)] : [])),
    );
    const found = pick(open, item.account, index);
    if (found !== undefined) return { ...step, item: found };
  }
  return orderInstead(item.account, index);
}

/** Without a withdrawal to pay, request one. */
function choosePayoutTargets(model: Model, prepare: OperationOf<"prepare">): Request {
  const items = prepare.items.map((item) => {
    const target = chooseStepTarget(model, { ...claim, operator: prepare.operator, item });
    return target.kind === "workStep" && target.item.of === "withdrawal" ? target.item : undefined;
  });
  const [first] = prepare.items;
  if (items.every((item) => item !== undefined)) return { ...prepare, items };
  return { kind: "withdraw", account: first?.account ?? 0, key: prepare.key, cents: 2_500 };
}

const claim = { kind: "workStep", verb: "claim", transaction: 0 } as const;

/** Chosen when the request is sent, because its own workflow may have prepared the payout. */
export function choosePayout<Of extends { readonly payout: number }>(model: Model, step: Of): Of {
  const { payouts } = model;
  const unended = payouts.flatMap(({ state }, at) => (endStates.has(state) ? [] : [at]));
  const isAny = step.payout === latestPayout || step.payout === maxIndex;
  const target = isAny ? undefined : unended[step.payout % unended.length];
  return { ...step, payout: target ?? lastIndex(payouts) };
}

const endStates: ReadonlySet<string> = new Set(["CONFIRMED", "CANCELLED", "FAILED"]);

function itemAt(of: WorkItem["of"], account: number, at: number): WorkItem {
  if (of === "withdrawal") return { of, account, index: at };
  return of === "action" ? { of, account, index: at } : { of, account, server: at };
}

function worksOf(customer: ModelAccount, of: WorkItem["of"]): readonly (ModelWork | undefined)[] {
  if (of === "action") return customer.actions;
  if (of === "withdrawal") return customer.withdrawals.map(({ work }) => work);
  return customer.servers.map((server) => server[of]);
}

function isOpen(work: ModelWork | undefined): boolean {
  return work !== undefined && isUnfinished(work);
}

function pick<T>(targets: readonly T[], account: number, index: number): T | undefined {
  return targets[(account * maxIndex + index) % targets.length];
}

/** The last index, or -1 for an empty list: an item that is added later must not become the target. */
function lastIndex(list: readonly unknown[]): number {
  return list.length - 1;
}
