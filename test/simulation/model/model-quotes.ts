import {
  emit,
  hourMs,
  termMs,
  type Model,
  type ModelAccount,
  type ModelServer,
  type ModelWork,
} from "./state.ts";

const validMs = 14 * 24 * hourMs;
const remindAfterMs = 24 * hourMs;

/** An operator who holds the request offers a price, and the customer gets a message. */
export function offer(model: Model, server: ModelServer, work: ModelWork, cents: number): string {
  if (server.offer?.isAccepted === true) return "conflict";
  server.offer = { cents, expiresAt: model.now + validMs, isAccepted: false };
  server.owner.outcomes += 1;
  emit(server.owner, "message.received");
  work.state = "OPEN";
  model.quotes.add("OFFERED");
  return "ok";
}

/** Accepting the same price again has no further effect. */
export function accept(model: Model, { offer: quote }: ModelServer, cents: number): string {
  if (quote === undefined || quote.cents !== cents) return "quote_changed";
  if (quote.isAccepted) return "ok";
  if (quote.expiresAt <= model.now) return "quote_changed";
  quote.isAccepted = true;
  model.quotes.add("ACCEPTED");
  return "ok";
}

/** Charges what is left of the term before ADVANCED is applied, or refuses. */
export function charge(
  model: Model,
  server: ModelServer,
  work: ModelWork,
  named: number | undefined,
): string {
  const { offer: quote, owner, paidThrough } = server;
  if (quote !== undefined && !quote.isAccepted) return "conflict";
  if (quote !== undefined && named !== undefined && named !== quote.cents) return "conflict";
  const cents = quote?.cents ?? named ?? 0;
  if (paidThrough === null && cents > 0) return "conflict";
  const share = shareOf(cents, (paidThrough ?? model.now) - model.now);
  if (owner.available < share) return postpone(model, owner, work);
  owner.available -= share;
  server.ddosCents = cents;
  if (share > 0) model.quotes.add("CHARGED");
  return "ok";
}

/** Rounds half up. Deliberately a different formula from the service's. */
function shareOf(cents: number, leftMs: number): number {
  return leftMs <= 0 ? 0 : Math.floor((cents * leftMs) / termMs + 0.5);
}

/** The customer gets at most one message a day. */
function postpone(model: Model, owner: ModelAccount, work: ModelWork): string {
  if (work.shortToldAt === undefined || work.shortToldAt <= model.now - remindAfterMs) {
    work.shortToldAt = model.now;
    owner.outcomes += 1;
    emit(owner, "message.received");
    model.quotes.add("POSTPONED");
  }
  return "insufficient_balance";
}

export function hasExpiredQuote({ offer: quote }: ModelServer, asOf: number): boolean {
  return quote !== undefined && !quote.isAccepted && quote.expiresAt <= asOf;
}

/** A pass withdraws the request, and the service tells the customer. The caller checks that the quote has expired. */
export function expire(model: Model, server: ModelServer): void {
  server.offer = undefined;
  server.requestedMode = null;
  if (server.ddos !== undefined) server.ddos.state = "FAILED";
  server.owner.notices += 1;
  emit(server.owner, "message.received");
  model.quotes.add("EXPIRED");
}
