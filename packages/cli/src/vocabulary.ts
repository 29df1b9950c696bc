import type {
  CreateDepositAddressRequest,
  CreateWebhookRequest,
  LedgerEntry,
  ListServersRequest,
  ReadContactAnswer,
  ReadQuoteRequest,
  Scope,
  SetDdosModeRequest,
} from "@ironlease/client";

/**
 * Enumerations of the contract. Importing the contract would take longer than most commands, so they are
 * repeated here, and the type checker rejects a missing or surplus word.
 */
const wordsOf = <Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] =>
  Object.keys(words) as unknown as Word[];

export const assets = wordsOf<CreateDepositAddressRequest["asset"]>({
  BTC: true,
  LTC: true,
  XMR: true,
  ETH: true,
  USDC: true,
  USDT: true,
});
export const terms = wordsOf<ReadQuoteRequest["term"]>({ weekly: true, monthly: true });
export const ledgerTypes = wordsOf<LedgerEntry["type"]>({
  DEPOSIT: true,
  ORDER_CHARGE: true,
  RENEWAL_CHARGE: true,
  DDOS_CHARGE: true,
  WITHDRAWAL_HOLD: true,
  WITHDRAWAL_RELEASE: true,
  WITHDRAWAL_PAID: true,
  REFUND: true,
  ADJUSTMENT: true,
});
export const scopes = wordsOf<Scope>({ read: true, servers: true, billing: true });
export const currentStates = wordsOf<NonNullable<ListServersRequest["state"]>>({
  PROVISIONING: true,
  ACTIVE: true,
  GRACE: true,
  SUSPENDED: true,
});
export const mailKinds = wordsOf<ReadContactAnswer["unsubscribed"][number]>({
  SERVERS: true,
  WITHDRAWALS: true,
  SIGN_INS: true,
  MESSAGES: true,
});
export const ddosModes = wordsOf<SetDdosModeRequest["mode"]>({ BASELINE: true, ADVANCED: true });

export type EventType = NonNullable<CreateWebhookRequest["events"]>[number];
export const eventTypes = wordsOf<EventType>({
  "deposit.seen": true,
  "deposit.credited": true,
  "order.accepted": true,
  "server.active": true,
  "server.grace": true,
  "server.suspended": true,
  "server.terminated": true,
  "server.renewed": true,
  "withdrawal.paid": true,
  "withdrawal.rejected": true,
  "balance.low": true,
  "message.received": true,
  "session.created": true,
  "notice.published": true,
});
