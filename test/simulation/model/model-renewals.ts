import { hasExpiredQuote } from "./model-quotes.ts";
import {
  emit,
  endServer,
  graceMs,
  newWork,
  termMs,
  type Model,
  type ModelAccount,
  type ModelServer,
} from "./state.ts";

export type RenewalKind = "renew" | "enter_grace" | "terminate";

/** What a renewal pass at the given time must do to a server, or undefined for nothing. */
export function renewalOf(server: ModelServer, asOf: number): RenewalKind | undefined {
  const { state, paidThrough, autoRenew, owner } = server;
  const isDelivered = state === "ACTIVE" || state === "GRACE" || state === "SUSPENDED";
  if (!isDelivered || paidThrough === null || paidThrough > asOf) return undefined;
  if (autoRenew && owner.available >= renewalCents(server)) return "renew";
  if (paidThrough + graceMs <= asOf) return "terminate";
  return state === "ACTIVE" ? "enter_grace" : undefined;
}

/** The account's server that a pass must process next: the earliest due, then the oldest. */
export function nextToRenew({ servers }: ModelAccount, asOf: number): ModelServer | undefined {
  const [next] = servers
    .filter((server) => renewalOf(server, asOf) !== undefined)
    .toSorted((a, b) => (dueAt(a) === dueAt(b) ? a.number - b.number : dueAt(a) - dueAt(b)));
  return next;
}

/** Whether a pass has something to renew or to withdraw. */
export function hasRenewalsDue(model: Model, asOf: number): boolean {
  return model.accounts.some(
    (customer) =>
      nextToRenew(customer, asOf) !== undefined ||
      customer.servers.some((server) => hasExpiredQuote(server, asOf)),
  );
}

/** Applies a renewal step. The caller checks that the step is the right one. */
export function renew(model: Model, server: ModelServer, kind: RenewalKind, asOf: number): void {
  switch (kind) {
    case "renew":
      server.owner.available -= renewalCents(server);
      server.paidThrough = dueAt(server) + termMs;
      emit(server.owner, "server.renewed");
      if (server.state === "GRACE" && server.paidThrough > asOf) {
        server.state = "ACTIVE";
        emit(server.owner, "server.active");
      }
      break;
    case "enter_grace":
      server.state = "GRACE";
      emit(server.owner, "server.grace");
      break;
    case "terminate":
      endServer(model, server);
      server.reclaim = newWork();
      model.machines.DIRTY += 1;
      break;
  }
}

/** The price and the accepted quote, in one charge. */
function renewalCents({ priceCents, ddosCents }: ModelServer): number {
  return priceCents + ddosCents;
}

function dueAt({ paidThrough }: ModelServer): number {
  return paidThrough ?? 0;
}
