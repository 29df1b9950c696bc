import { eventTypes, limits, type EventType } from "@ironlease/contract";
import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { addSubscriber } from "#kernel/outbox/subscribers.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";
import { newWebhookSecret } from "./signature.ts";
import { secretContext, type WebhookRecord } from "./webhook-record.ts";
import { checkWebhookUrl } from "./webhook-url.ts";

export interface NewWebhook extends WebhookRecord {
  readonly secret: string;
}

/** Adds an endpoint. Its secret is shown only here. */
export async function createWebhook(
  core: Core,
  call: CustomerCall,
  input: { readonly url: string; readonly events?: readonly EventType[] | undefined },
): Promise<Result<NewWebhook>> {
  const { accountId } = call;
  const url = checkWebhookUrl(input.url, core.rules.webhookNetworks);
  if (!url.ok) return refuseField("url", url.message);
  const { events } = input;
  if (new Set(events).size !== (events?.length ?? 0)) {
    return refuseField("events", "must not repeat an event");
  }
  const id = core.ids.next("webhook");
  const secret = newWebhookSecret(core.random);
  const sealed = await core.sealing.seal(secret, secretContext(id));
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    await lockAccount(tx, accountId);
    const webhooks = await tx
      .selectFrom("webhooks")
      .select("id")
      .where("account_id", "=", accountId)
      .execute();
    if (webhooks.length >= limits.webhooksPerAccount) return refuse("limit_reached");
    await addSubscriber(step, { id, accountId, channel: "WEBHOOK", events });
    await tx
      .insertInto("webhooks")
      .values({
        id,
        account_id: accountId,
        url: url.value,
        secret: sealed,
        previous_secret: null,
        previous_until: null,
      })
      .execute();
    // The path and query of a URL may contain credentials.
    await audit(step, "webhook.create", id, { host: new URL(url.value).host });
    return ok({
      id,
      url: url.value,
      events: eventTypes.filter((type) => events === undefined || events.includes(type)),
      createdAt: core.clock.now(),
      disabledAt: null,
      secret,
    });
  });
}
