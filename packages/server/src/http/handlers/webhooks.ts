import { createWebhook, type NewWebhook } from "#features/webhooks/create-webhook.ts";
import { deleteWebhook } from "#features/webhooks/delete-webhook.ts";
import { listDeliveries, type DeliveryRecord } from "#features/webhooks/list-deliveries.ts";
import { listWebhooks } from "#features/webhooks/list-webhooks.ts";
import { redeliverEvent, testWebhook } from "#features/webhooks/request-delivery.ts";
import { rotateSecret } from "#features/webhooks/rotate-secret.ts";
import type { WebhookRecord } from "#features/webhooks/webhook-record.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type Webhooks =
  | "listWebhooks"
  | "createWebhook"
  | "deleteWebhook"
  | "testWebhook"
  | "rotateWebhookSecret"
  | "listDeliveries"
  | "redeliver";

export function webhookHandlers(core: Core): Handlers<Webhooks> {
  return {
    listWebhooks: async ({ account }) => {
      const webhooks = await listWebhooks(core, account.accountId);
      return ok({ status: 200, body: { webhooks: webhooks.map(webhookOnWire) } });
    },
    createWebhook: async ({ core, caller, body }) => {
      const result = await createWebhook(core, caller, body);
      return result.ok ? ok({ status: 201, body: newWebhookOnWire(result.value) }) : result;
    },
    deleteWebhook: async ({ core, caller, parameters }) => {
      const result = await deleteWebhook(core, caller, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
    testWebhook: async ({ core, caller, parameters }) => {
      const result = await testWebhook(core, caller, parameters.id);
      return result.ok ? ok({ status: 202, body: deliveryOnWire(result.value) }) : result;
    },
    rotateWebhookSecret: async ({ core, caller, parameters }) => {
      const result = await rotateSecret(core, caller, parameters.id);
      return result.ok ? ok({ status: 200, body: newWebhookOnWire(result.value) }) : result;
    },
    listDeliveries: async ({ account, parameters }) => {
      const result = await listDeliveries(core, account.accountId, parameters.id);
      if (!result.ok) return result;
      return ok({ status: 200, body: { deliveries: result.value.map(deliveryOnWire) } });
    },
    redeliver: async ({ core, caller, parameters }) => {
      const { id: webhookId, deliveryId } = parameters;
      const result = await redeliverEvent(core, caller, { webhookId, deliveryId });
      return result.ok ? ok({ status: 202, body: deliveryOnWire(result.value) }) : result;
    },
  };
}

export function webhookOnWire({ id, url, events, createdAt, disabledAt }: WebhookRecord) {
  return {
    id,
    url,
    events: [...events],
    createdAt: isoTime(createdAt),
    disabledAt: isoTimeOrNull(disabledAt),
  };
}

function newWebhookOnWire({ secret, ...record }: NewWebhook) {
  return { ...webhookOnWire(record), secret };
}

export function deliveryOnWire(delivery: DeliveryRecord) {
  return {
    id: delivery.id,
    event: delivery.event,
    createdAt: isoTime(delivery.createdAt),
    attempts: delivery.attempts,
    lastStatus: delivery.lastStatus,
    deliveredAt: isoTimeOrNull(delivery.deliveredAt),
  };
}
