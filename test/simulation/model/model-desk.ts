import { operatorRoles, type Item, type OperationOf } from "./operations.ts";
import {
  account,
  endServer,
  leaseMs,
  termMs,
  twoOperatorsFromCents,
  type IdleMachineState,
  type Model,
  type ModelServer,
  type ModelWithdrawal,
  type ModelWork,
} from "./state.ts";

/** An operator's step on one item of work: the rules of the lease first, then what it does. */
export function desk(
  model: Model,
  { operator, verb, item, transaction, machineState }: OperationOf<"desk">,
  found: FoundWork | undefined,
): string {
  if (found === undefined) return "not_found";
  const { work } = found;
  if (item.of === "withdrawal" && operatorRoles[operator] === "support") return "role_forbidden";
  if (machineState !== undefined && item.of !== "provision") return "validation_failed";
  const isHeld = work.state === "CLAIMED" && work.leaseUntil > model.now;
  if (verb === "claim") {
    const isFree = work.state === "OPEN" || (work.state === "CLAIMED" && !isHeld);
    if (!isFree && !(isHeld && work.holder === operator)) return "conflict";
    Object.assign(work, { state: "CLAIMED", holder: operator, leaseUntil: model.now + leaseMs });
    return "ok";
  }
  if (!isHeld || work.holder !== operator) return "conflict";
  if (verb === "release") {
    work.state = "OPEN";
    return "ok";
  }
  if (verb === "fail") {
    work.state = "FAILED";
    found.fail?.(machineState ?? "DIRTY");
    return "ok";
  }
  return complete(found, operator, transaction);
}

/** An item, and what ending it does. */
export interface FoundWork {
  readonly work: ModelWork;
  readonly withdrawal?: ModelWithdrawal;
  complete?(): void;
  fail?(machineState: IdleMachineState): void;
}

function complete(
  { work, withdrawal, ...effects }: FoundWork,
  operator: number,
  transaction: number,
): string {
  if (withdrawal !== undefined && withdrawal.cents >= twoOperatorsFromCents) {
    const [first] = work.approvals;
    const isSame = first?.[1] === transaction;
    if (first === undefined || (first[0] === operator && !isSame)) {
      work.approvals.set(operator, transaction);
      work.state = "OPEN";
      return "ok";
    }
    if (first[0] === operator || !isSame) return "conflict";
  }
  work.state = "DONE";
  effects.complete?.();
  return "ok";
}

/** The item of that kind: the server's latest, or the customer's so many-th. */
export function findWork(model: Model, item: Item): FoundWork | undefined {
  const customer = account(model, item);
  if ("server" in item) {
    const server = customer.servers[item.server];
    return server && ofServer(model, server, item.of);
  }
  if (item.of === "action") {
    const work = customer.actions[item.index];
    return work && { work };
  }
  const withdrawal = customer.withdrawals[item.index];
  return withdrawal && review(withdrawal, customer);
}

function review(
  withdrawal: ModelWithdrawal,
  customer: { available: number; held: number },
): FoundWork {
  const end = (status: "PAID" | "REJECTED", back: number) => {
    withdrawal.status = status;
    customer.held -= withdrawal.cents;
    customer.available += back;
  };
  return {
    ...{ work: withdrawal.work, withdrawal },
    complete: () => end("PAID", 0),
    fail: () => end("REJECTED", withdrawal.cents),
  };
}

function ofServer(
  model: Model,
  server: ModelServer,
  of: "provision" | "ddos" | "reclaim",
): FoundWork | undefined {
  if (of === "provision") {
    return {
      work: server.provision,
      complete: () => {
        server.state = "ACTIVE";
        server.paidThrough = model.now + termMs;
      },
      fail: (machineState) => {
        endServer(server);
        server.owner.available += server.priceCents;
        model.machines[machineState] += 1;
      },
    };
  }
  const work = server[of];
  if (work === undefined) return undefined;
  if (of === "reclaim") {
    return {
      work,
      complete: () => {
        model.machines.DIRTY -= 1;
        model.machines.FREE += 1;
      },
    };
  }
  return {
    work,
    complete: () => {
      server.mode = server.requestedMode ?? server.mode;
      server.requestedMode = null;
    },
    fail: () => {
      server.requestedMode = null;
    },
  };
}
