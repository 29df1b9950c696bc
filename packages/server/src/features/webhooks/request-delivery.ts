import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { addDelivery, redeliver } from "#kernel/outbox/requested-deliveries.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";
import { selectDeliveries, type DeliveryRecord } from "./list-deliveries.ts";

/** The event of a test, which has no data. */
const testEvent = "webhook.test";

/** Sends a test event. A test that still waits to be sent is not repeated. */
export async function testWebhook(
  core: Core,
  call: CustomerCall,
  webhookId: string,
): Promise<Result<DeliveryRecord>> {
  const { accountId } = call;
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    const enabled = await lockEnabled(step, webhookId);
    if (!enabled.ok) return enabled;
    const waiting = await selectDeliveries(tx, accountId, webhookId)
      .where("channel", "=", "WEBHOOK")
      .where("due_at", "is not", null)
      .where("event", "=", testEvent)
      .limit(1)
      .executeTakeFirst();
    if (waiting !== undefined) return ok(waiting);
    const delivery = { subscriberId: webhookId, accountId, channel: "WEBHOOK" } as const;
    const id = await addDelivery(step, { ...delivery, event: testEvent });
    await audit(step, "webhook.test", webhookId);
    return readDelivery(step, webhookId, id);
  });
}

/** Sends an event again, delivered or not. The message has the same id as before. */
export async function redeliverEvent(
  core: Core,
  call: CustomerCall,
  { webhookId, deliveryId }: { readonly webhookId: string; readonly deliveryId: string },
): Promise<Result<DeliveryRecord>> {
  const { accountId } = call;
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    const enabled = await lockEnabled(step, webhookId);
    if (!enabled.ok) return enabled;
    const isFound = await redeliver(step, { subscriberId: webhookId, accountId, deliveryId });
    if (!isFound) return refuse("not_found");
    await audit(step, "webhook.redeliver", webhookId, { deliveryId });
    return readDelivery(step, webhookId, deliveryId);
  });
}

async function lockEnabled(
  { tx, call }: Step<CustomerCall>,
  webhookId: string,
): Promise<Result<void>> {
  const webhook = await tx
    .selectFrom("subscribers")
    .select("disabled_at")
    .where("id", "=", webhookId)
    .where("account_id", "=", call.accountId)
    .where("channel", "=", "WEBHOOK")
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (webhook === undefined) return refuse("not_found");
  if (webhook.disabled_at === null) return ok();
  return refuse("conflict", {
    message:
      "This webhook is disabled because its deliveries failed. Delete it and create a new one.",
  });
}

async function readDelivery(
  { tx, call }: Step<CustomerCall>,
  webhookId: string,
  deliveryId: string,
): Promise<Result<DeliveryRecord>> {
  const delivery = await selectDeliveries(tx, call.accountId, webhookId)
    .where("id", "=", deliveryId)
    .executeTakeFirstOrThrow();
  return ok(delivery);
}
