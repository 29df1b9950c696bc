import { charge, offer } from "./model-quotes.ts";
import { operatorRoles, type WorkItem, type OperationOf } from "./operations.ts";
import {
  emit,
  account,
  endServer,
  leaseMs,
  takePlace,
  termMs,
  twoOperatorsFromCents,
  type IdleMachineState,
  type Model,
  type ModelAccount,
  type ModelServer,
  type ModelWithdrawal,
  type ModelWork,
} from "./state.ts";

/** Applies an operator's step to a work item. Checks the claim and its lease first. */
export function applyWorkStep(
  model: Model,
  { operator, verb, item, transaction, quoteCents, machineState }: OperationOf<"workStep">,
  found: FoundWork | undefined,
): string {
  if (found === undefined) return "not_found";
  const { work } = found;
  if (item.of === "withdrawal" && operatorRoles[operator] === "support") return "role_forbidden";
  if (machineState !== undefined && item.of !== "provision") return "validation_failed";
  if (verb === "quote" && work.mode !== "ADVANCED") return "conflict";
  if (verb === "complete" && quoteCents !== undefined && work.mode !== "ADVANCED") {
    return "validation_failed";
  }
  const isHeld = work.state === "CLAIMED" && work.leaseUntil > model.now;
  if (verb === "claim") {
    const isFree = work.state === "OPEN" || (work.state === "CLAIMED" && !isHeld);
    if (!isFree && !(isHeld && work.holder === operator)) return "conflict";
    Object.assign(work, { state: "CLAIMED", holder: operator, leaseUntil: model.now + leaseMs });
    found.claim?.();
    return "ok";
  }
  if (!isHeld || work.holder !== operator) return "conflict";
  if (verb === "release") {
    work.state = "OPEN";
    return "ok";
  }
  if (verb === "quote") return found.offer?.(quoteCents ?? 0) ?? "conflict";
  if (verb === "fail") {
    if (found.withdrawal?.payout !== undefined) return "conflict";
    work.state = "FAILED";
    found.fail?.(machineState ?? "DIRTY");
    reportOutcome(model, item, work);
    return "ok";
  }
  const outcome = complete(found, operator, { transaction, quoteCents });
  if (work.state === "DONE") reportOutcome(model, item, work);
  return outcome;
}

/** The customer gets a message about everything that they requested: no wiping, no power changes of operators. */
function reportOutcome(model: Model, item: WorkItem, work: ModelWork): void {
  const customer = account(model, item);
  const isPower = customer.servers.some(({ power }) => power.some((own) => own.work === work));
  if (item.of === "reclaim" || isPower) return;
  customer.outcomes += 1;
  emit(customer, "message.received");
}

/** A work item, with the effects of completing and failing it. */
export interface FoundWork {
  readonly work: ModelWork;
  readonly withdrawal?: ModelWithdrawal;
  claim?(): void;
  offer?(cents: number): string;
  /** Refuses the completion, or charges for it. */
  charge?(named: number | undefined): string;
  complete?(): void;
  fail?(machineState: IdleMachineState): void;
}

function complete(
  { work, withdrawal, ...effects }: FoundWork,
  operator: number,
  {
    transaction,
    quoteCents,
  }: { readonly transaction: number; readonly quoteCents: number | undefined },
): string {
  const charged = effects.charge?.(quoteCents) ?? "ok";
  if (charged !== "ok") return charged;
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
  if (withdrawal?.isPriced === false) return "settlement_unavailable";
  if (withdrawal?.payout !== undefined) return "conflict";
  work.state = "DONE";
  effects.complete?.();
  return "ok";
}

/** Finds the server's latest work item of a kind, or the customer's by index. */
export function findWork(model: Model, item: WorkItem): FoundWork | undefined {
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

function review(withdrawal: ModelWithdrawal, customer: ModelAccount): FoundWork {
  const end = (status: "PAID" | "REJECTED", refundCents: number) => {
    withdrawal.status = status;
    emit(customer, status === "PAID" ? "withdrawal.paid" : "withdrawal.rejected");
    customer.held -= withdrawal.cents;
    customer.available += refundCents;
  };
  return {
    work: withdrawal.work,
    withdrawal,
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
      claim: () => {
        server.place ??= takePlace(model);
      },
      complete: () => {
        server.state = "ACTIVE";
        server.paidThrough = model.now + termMs;
        emit(server.owner, "server.active");
      },
      fail: (machineState) => {
        endServer(model, server);
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
  const end = () => {
    server.requestedMode = null;
    server.offer = undefined;
  };
  return {
    work,
    offer: (cents) => offer(model, server, work, cents),
    charge: (named) => (work.mode === "ADVANCED" ? charge(model, server, work, named) : "ok"),
    complete: () => {
      server.mode = server.requestedMode ?? server.mode;
      if (server.mode === "BASELINE") server.ddosCents = 0;
      end();
    },
    fail: end,
  };
}
