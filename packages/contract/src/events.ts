/** What webhooks and other channels report about an account. Each event repeats facts that the account's reads already show. */
export const eventTypes = [
  "deposit.seen",
  "deposit.credited",
  "order.accepted",
  "server.active",
  "server.grace",
  "server.suspended",
  "server.terminated",
  "server.renewed",
  "withdrawal.paid",
  "withdrawal.rejected",
  "balance.low",
  "message.received",
  "session.created",
  "notice.published",
] as const;

export type EventType = (typeof eventTypes)[number];
