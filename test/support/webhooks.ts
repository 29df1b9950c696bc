import assert from "node:assert/strict";
import type { EventType } from "@ironlease/contract";
import { createWebhook, type NewWebhook } from "#server/features/webhooks/create-webhook.ts";
import { listDeliveries, type DeliveryRecord } from "#server/features/webhooks/list-deliveries.ts";
import type { Core } from "#server/kernel/core.ts";
import { recordEvent } from "#server/kernel/outbox/record-event.ts";
import { ok } from "#server/kernel/result.ts";
import { register, testClient } from "./bare-core.ts";
import { valueOf } from "./use-cases.ts";

/** An account with one webhook. */
export interface Subscribed extends NewWebhook {
  readonly accountId: string;
}

export async function subscribeUrl(
  core: Core,
  url: string,
  events?: readonly EventType[],
): Promise<Subscribed> {
  const { accountId } = await register(core);
  const call = { accountId, client: testClient };
  return { accountId, ...(await valueOf(createWebhook(core, call, { url, events }))) };
}

/** Records events as a use case would. */
export async function recordOrders(core: Core, accountId: string, count = 1): Promise<void> {
  await core.db.write(async (tx) => {
    for (let number = 0; number < count; number += 1) {
      const data = { orderId: `ord_${number}`, totalUsd: 49.99, serverIds: [] };
      await recordEvent({ tx, core }, { accountId, type: "order.accepted", data });
    }
    return ok();
  });
}

/** The log of the webhook's deliveries, newest first. */
export function logOf(
  core: Core,
  { accountId, id }: Subscribed,
): Promise<readonly DeliveryRecord[]> {
  return valueOf(listDeliveries(core, accountId, id));
}

export async function onlyDelivery(core: Core, webhook: Subscribed): Promise<DeliveryRecord> {
  const [delivery, ...others] = await logOf(core, webhook);
  assert.deepEqual(others, []);
  return delivery ?? assert.fail("nothing was delivered");
}
