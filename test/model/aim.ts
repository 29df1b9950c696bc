import type { Item, Operation } from "./operations.ts";
import { isLiving, type Model, type ModelAccount, type ModelWork } from "./state.ts";

/** The highest index always misses its aim. */
export const maxIndex = 9;

/**
 * Turns most random indexes into ones that hit something to which the operation can happen; the rest
 * stay as they are, so that what is not there is asked for too. Without it hardly anything would be
 * delivered, wiped or paid out within a run.
 */
export function aim(model: Model, operation: Operation): Operation {
  if (operation.kind === "desk") {
    return { ...operation, item: aimItem(model, operation.item) };
  }
  if (!("server" in operation)) return operation;
  const isThere = (customer: ModelAccount) =>
    customer.servers.map(({ state }) => state !== "TERMINATED");
  const [account, server] = among(model, operation.account, operation.server, isThere);
  return { ...operation, account, server };
}

function aimItem(model: Model, item: Item): Item {
  const isThere = (customer: ModelAccount) => worksOf(customer, item.of).map(isOpen);
  if ("server" in item) {
    const [account, server] = among(model, item.account, item.server, isThere);
    return { ...item, account, server };
  }
  const [account, index] = among(model, item.account, item.index, isThere);
  return { ...item, account, index };
}

function worksOf(customer: ModelAccount, of: Item["of"]): readonly (ModelWork | undefined)[] {
  if (of === "action") return customer.actions;
  if (of === "withdrawal") return customer.withdrawals.map(({ work }) => work);
  return customer.servers.map((server) => server[of]);
}

function isOpen(work: ModelWork | undefined): boolean {
  return work !== undefined && isLiving(work);
}

function among(
  model: Model,
  account: number,
  index: number,
  isThere: (customer: ModelAccount) => readonly boolean[],
): readonly [number, number] {
  const targets = model.accounts.flatMap((customer, owner) =>
    isThere(customer).flatMap((fits, at) => (fits ? [[owner, at] as const] : [])),
  );
  const target = targets[(account * maxIndex + index) % targets.length];
  return index === maxIndex || target === undefined ? [account, index] : target;
}
