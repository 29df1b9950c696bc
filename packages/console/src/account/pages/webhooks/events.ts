import type { CreateWebhookRequest } from "@ironlease/client";

export type EventType = NonNullable<CreateWebhookRequest["events"]>[number];

/** What each event says. The type checker rejects a missing or surplus one. */
const meanings: Readonly<Record<EventType, string>> = {
  "deposit.seen": "A payment to one of your addresses was detected",
  "deposit.credited": "A payment was credited to your balance",
  "order.accepted": "An order was placed and paid",
  "server.active": "A server was delivered or is active again",
  "server.grace": "A server was not paid for and is in its grace period",
  "server.suspended": "An operator suspended a server",
  "server.terminated": "A server was terminated",
  "server.renewed": "A server was renewed",
  "withdrawal.paid": "A withdrawal was paid",
  "withdrawal.rejected": "A withdrawal was rejected",
  "balance.low": "Your balance does not cover the renewals of the next three days",
  "message.received": "You received a message",
  "session.created": "Someone signed in to your account",
  "notice.published": "A maintenance or incident notice was published",
};

export const eventTypes = Object.keys(meanings) as readonly EventType[];

export function meaningOf(event: EventType): string {
  return meanings[event];
}

export function eventsText(events: readonly string[]): string {
  return events.length === eventTypes.length ? "All events" : events.join(", ");
}

/** For a table: `All events`, one name, or how many. */
export function eventCountText(events: readonly string[]): string {
  const isList = events.length > 1 && events.length < eventTypes.length;
  return isList ? `${events.length} events` : eventsText(events);
}
