import type { Core } from "#kernel/core.ts";
import { selectWebhooks, webhookRecord, type WebhookRecord } from "./webhook-record.ts";

/** The account's webhooks, oldest first, without their secrets. */
export async function listWebhooks(
  { db }: Core,
  accountId: string,
): Promise<readonly WebhookRecord[]> {
  const rows = await selectWebhooks(db.read, accountId).orderBy("webhooks.id").execute();
  return rows.map(webhookRecord);
}
