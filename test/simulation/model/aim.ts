import { keys, type Item, type OperationOf, type Request } from "./operations.ts";
import { account, isLiving, type Model, type ModelAccount, type ModelWork } from "./state.ts";

/** The highest index always misses its aim. */
export const maxIndex = 9;

/**
 * Turns most random indexes into ones that hit something to which the operation can happen; the rest
 * stay as they are, so that what is not there is asked for too. Without it hardly anything would be
 * delivered, wiped or paid out within a run.
 */
export function aim(model: Model, operation: Request): Request {
  if (operation.kind === "desk") return aimStep(model, operation);
  if (!("server" in operation)) return operation;
  const living = model.accounts.flatMap(({ servers }, account) =>
    servers.flatMap(({ state }, server) => (state === "TERMINATED" ? [] : [{ account, server }])),
  );
  const { account: owner, server: index } = operation;
  if (index === maxIndex)
    return { ...operation, server: missed(account(model, operation).servers) };
  const target = pick(living, owner, index);
  return target === undefined ? orderInstead(owner, index) : { ...operation, ...target };
}

/** Where there is nothing to do anything about, there will be. */
function orderInstead(account: number, index: number): Request {
  return { kind: "order", account, key: index % keys, quantity: 1 };
}

const kinds = ["provision", "withdrawal", "ddos", "reclaim", "action"] as const;

/** Where nothing of its kind is to be done, the step is about something of another kind. */
function aimStep(model: Model, step: OperationOf<"desk">): Request {
  const { item } = step;
  const index = "server" in item ? item.server : item.index;
  if (index === maxIndex) {
    const works = worksOf(account(model, item), item.of);
    return { ...step, item: itemAt(item.of, item.account, missed(works)) };
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

function itemAt(of: Item["of"], account: number, at: number): Item {
  return of === "withdrawal" || of === "action"
    ? { of, account, index: at }
    : { of, account, server: at };
}

function worksOf(customer: ModelAccount, of: Item["of"]): readonly (ModelWork | undefined)[] {
  if (of === "action") return customer.actions;
  if (of === "withdrawal") return customer.withdrawals.map(({ work }) => work);
  return customer.servers.map((server) => server[of]);
}

function isOpen(work: ModelWork | undefined): boolean {
  return work !== undefined && isLiving(work);
}

function pick<T>(targets: readonly T[], account: number, index: number): T | undefined {
  return targets[(account * maxIndex + index) % targets.length];
}

/** The last of what was ever there. What is not there now is not meant later either. */
function missed(list: readonly unknown[]): number {
  return list.length - 1;
}
