import { eventTypes, type EventType } from "@ironlease/contract";
import type { Kysely } from "kysely";
import type { Schema } from "#ports/schema.ts";

export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  readonly events: readonly EventType[];
  readonly createdAt: number;
  readonly disabledAt: number | null;
}

/** The account's webhooks. Their limit bounds the list. */
export function selectWebhooks(db: Kysely<Schema>, accountId: string) {
  return db
    .selectFrom("webhooks")
    .innerJoin("subscribers", "subscribers.id", "webhooks.id")
    .select([
      "webhooks.id",
      "webhooks.url",
      "subscribers.events",
      "subscribers.created_at as createdAt",
      "subscribers.disabled_at as disabledAt",
    ])
    .where("webhooks.account_id", "=", accountId);
}

type WebhookRow = Awaited<ReturnType<ReturnType<typeof selectWebhooks>["execute"]>>[number];

export function webhookRecord({ events, ...row }: WebhookRow): WebhookRecord {
  const chosen = events?.trim().split(" ");
  return {
    ...row,
    events: eventTypes.filter((type) => chosen === undefined || chosen.includes(type)),
  };
}

/** Binds a sealed secret to its webhook: copied into another row, it does not open. */
export function secretContext(webhookId: string): string {
  return `webhook/${webhookId}`;
}
