import { limits } from "@ironlease/contract";
import type { Kysely } from "kysely";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";
import type { Schema } from "#ports/schema.ts";

export interface DeliveryRecord {
  readonly id: string;
  readonly event: string;
  readonly createdAt: number;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly deliveredAt: number | null;
}

/** The latest deliveries to one of the account's own webhooks, newest first. */
export async function listDeliveries(
  { db }: Core,
  accountId: string,
  webhookId: string,
): Promise<Result<readonly DeliveryRecord[]>> {
  const webhook = await findWebhook(db.read, accountId, webhookId);
  if (webhook === undefined) return refuse("not_found");
  return ok(
    await selectDeliveries(db.read, accountId, webhookId)
      .orderBy("id", "desc")
      .limit(limits.listLength)
      .execute(),
  );
}

/** A page of all deliveries to a webhook, oldest first. `after` is the last id of the previous page. */
export function listAllDeliveries(
  { db }: Core,
  { accountId, webhookId, after }: Record<"accountId" | "webhookId" | "after", string>,
): Promise<readonly DeliveryRecord[]> {
  return selectDeliveries(db.read, accountId, webhookId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limits.listLength)
    .execute();
}

function findWebhook(db: Kysely<Schema>, accountId: string, webhookId: string) {
  return db
    .selectFrom("webhooks")
    .select("id")
    .where("id", "=", webhookId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
}

export function selectDeliveries(db: Kysely<Schema>, accountId: string, webhookId: string) {
  return db
    .selectFrom("deliveries")
    .select([
      "id",
      "event",
      "created_at as createdAt",
      "attempts",
      "last_status as lastStatus",
      "delivered_at as deliveredAt",
    ])
    .where("subscriber_id", "=", webhookId)
    .where("account_id", "=", accountId);
}
