import type { EventType, SubscribedMailKind } from "@ironlease/contract";
import type { TxScope } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { tellContact, type MailDetail } from "#kernel/mails.ts";
import { claimSubscribers, releaseSubscriber } from "#kernel/outbox/claim-subscribers.ts";
import { hasPending, readDue, recordSuccess } from "#kernel/outbox/deliveries.ts";
import { addSubscriber, removeSubscriber } from "#kernel/outbox/subscribers.ts";
import { ok } from "#kernel/result.ts";

const channel = "EMAIL";

/** The events of the outbox that customers get a mail about. Sign-ins are not among them: only new networks count. */
const kinds = {
  "server.grace": "SERVERS",
  "server.terminated": "SERVERS",
  "withdrawal.paid": "WITHDRAWALS",
  "withdrawal.rejected": "WITHDRAWALS",
  "message.received": "MESSAGES",
} as const satisfies Partial<Record<EventType, SubscribedMailKind>>;

type MailedEvent = keyof typeof kinds;
const mailedEvents = Object.keys(kinds) as MailedEvent[];

/** From now on the account's events become mails. An account has one contact, so its id names the subscriber. */
export async function subscribeContact(scope: TxScope, accountId: string): Promise<void> {
  await addSubscriber(scope, { id: accountId, accountId, channel, events: mailedEvents });
}

export async function unsubscribeContact({ tx }: TxScope, accountId: string): Promise<void> {
  await removeSubscriber(tx, { id: accountId, accountId });
}

/** Contacts whose events one transaction takes. The next pass takes the rest. */
const mostContacts = 20;
/** The transaction ends the lease itself. */
const leaseMs = 60_000;

/** Queues a mail for each event of the outbox, in the transaction that ends its delivery: one mail for each event. */
export async function takeEvents(core: Core): Promise<void> {
  if (!(await hasPending(core.db.read, channel))) return;
  await core.db.write(async (tx) => {
    const scope = { tx, core };
    const claim = { channel, limit: mostContacts, leaseMs } as const;
    for (const subscriber of await claimSubscribers(scope, claim)) {
      await takeEventsOf(scope, subscriber);
      await releaseSubscriber(scope, subscriber, 0);
    }
    return ok();
  });
}

async function takeEventsOf(
  scope: TxScope,
  { id: subscriberId, accountId }: { readonly id: string; readonly accountId: string },
): Promise<void> {
  const { tx, core } = scope;
  for (const due of await readDue(tx, { channel, subscriberId, now: core.clock.now() })) {
    const { id: deliveryId, firstDueAt, event, data } = due;
    const kind = kinds[event as MailedEvent];
    await tellContact(scope, accountId, {
      kind,
      topic: event,
      detail: JSON.parse(data) as MailDetail,
    });
    await recordSuccess(scope, { subscriberId, deliveryId, firstDueAt, status: null });
  }
}
