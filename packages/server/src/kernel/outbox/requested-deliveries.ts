import type { TxScope } from "#kernel/call.ts";
import { currentTrace } from "#kernel/concurrency/trace.ts";
import type { Channel } from "#ports/schema.ts";

/** Deliveries that the customer requests: a test, or an event once more. */

/** An event for one subscriber alone. */
interface SingleDelivery {
  readonly subscriberId: string;
  readonly accountId: string;
  readonly channel: Channel;
  readonly event: string;
}

/** Adds a delivery without data and makes it due at once. Returns its id. */
export async function addDelivery(
  scope: TxScope,
  { subscriberId, accountId, channel, event }: SingleDelivery,
): Promise<string> {
  const { tx, core } = scope;
  const [id, now] = [core.ids.next("delivery"), core.clock.now()];
  await tx
    .insertInto("deliveries")
    .values({
      subscriber_id: subscriberId,
      id,
      account_id: accountId,
      channel,
      event,
      data: "{}",
      created_at: now,
      due_at: now,
      first_due_at: now,
      attempts: 0,
      last_status: null,
      delivered_at: null,
      traceparent: currentTrace() ?? null,
    })
    .execute();
  await endPause(scope, subscriberId);
  return id;
}

interface OwnDelivery {
  readonly subscriberId: string;
  readonly accountId: string;
  readonly deliveryId: string;
}

/** Makes a delivery due at once, with three days of retries. False when the subscriber has no such delivery. */
export async function redeliver(
  scope: TxScope,
  { subscriberId, accountId, deliveryId }: OwnDelivery,
): Promise<boolean> {
  const { tx, core } = scope;
  const now = core.clock.now();
  const { numUpdatedRows } = await tx
    .updateTable("deliveries")
    .set({
      due_at: now,
      first_due_at: now,
      delivered_at: null,
      traceparent: currentTrace() ?? null,
    })
    .where("subscriber_id", "=", subscriberId)
    .where("id", "=", deliveryId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await endPause(scope, subscriberId);
  return true;
}

/** The customer says that the receiver works again. */
async function endPause({ tx }: TxScope, subscriberId: string): Promise<void> {
  await tx
    .updateTable("subscribers")
    .set({ paused_until: 0 })
    .where("id", "=", subscriberId)
    .execute();
}
