import { sql, type Kysely } from "kysely";
import type { TxScope } from "#kernel/call.ts";
import { prepared, preparedCommand } from "#kernel/sql/prepared.ts";
import type { Tx } from "#ports/db.ts";
import type { Channel, Schema } from "#ports/schema.ts";
import { retryAt } from "./retries.ts";

/** Longer than any pause between two attempts. */
const maxPauseMs = 24 * 3_600_000;

/** A delivery that is due. */
export interface DueDelivery {
  readonly id: string;
  readonly event: string;
  /** JSON. */
  readonly data: string;
  readonly createdAt: number;
  readonly firstDueAt: number;
  /** Of the request that caused the event. */
  readonly traceparent: string | null;
}

interface Due extends Record<string, string | number> {
  readonly channel: Channel;
  readonly subscriberId: string;
  readonly now: number;
}

/** How many are read at once. */
const duePageLength = 32;

const selectDue = prepared(["channel", "subscriberId", "now"], (db, due: Due) =>
  db
    .selectFrom("deliveries")
    .select(["id", "event", "data", "created_at as createdAt", "first_due_at as firstDueAt"])
    .select("traceparent")
    .where("channel", "=", due.channel)
    .where("subscriber_id", "=", due.subscriberId)
    .where("due_at", "is not", null)
    .where("due_at", "<=", due.now)
    .orderBy("due_at")
    .limit(duePageLength),
);

/** Whether anything waits to be sent. An index answers it, so that idle processes do not write. */
export async function hasPending(db: Kysely<Schema>, channel: Channel): Promise<boolean> {
  const pending = await db
    .selectFrom("deliveries")
    .select("id")
    .where("channel", "=", channel)
    .where("due_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return pending !== undefined;
}

/** The deliveries that are due to a claimed subscriber, earliest first. */
export function readDue(db: Kysely<Schema>, due: Due): Promise<readonly DueDelivery[]> {
  return selectDue(db, due);
}

/** One attempt to deliver. */
export interface Attempt {
  readonly subscriberId: string;
  readonly deliveryId: string;
  readonly firstDueAt: number;
  /** Null without an answer. */
  readonly status: number | null;
}

interface Delivered extends Record<string, string | number | null> {
  readonly subscriberId: string;
  readonly deliveryId: string;
  readonly status: number | null;
  readonly now: number;
}

const markDelivered = preparedCommand(
  ["subscriberId", "deliveryId", "status", "now"],
  (db, { subscriberId, deliveryId, status, now }: Delivered) =>
    db
      .updateTable("deliveries")
      .set({
        attempts: sql`attempts + 1`,
        last_status: status,
        delivered_at: now,
        due_at: null,
      })
      .where("subscriber_id", "=", subscriberId)
      .where("id", "=", deliveryId),
);

const endFailures = preparedCommand(["id"], (db, { id }: { readonly id: string }) =>
  db
    .updateTable("subscribers")
    .set({ failing_since: null, last_failed_at: null })
    .where("id", "=", id)
    .where("failing_since", "is not", null),
);

export async function recordSuccess({ tx, core }: TxScope, attempt: Attempt): Promise<void> {
  const { subscriberId, deliveryId, status } = attempt;
  await markDelivered(tx, { subscriberId, deliveryId, status, now: core.clock.now() });
  await endFailures(tx, { id: subscriberId });
}

/** Schedules the next attempt, or gives up after three days. Returns since when every attempt has failed. */
export async function recordFailure(
  { tx, core }: TxScope,
  { subscriberId, deliveryId, firstDueAt, status }: Attempt,
  jitter: number,
): Promise<{ readonly failingSince: number }> {
  const now = core.clock.now();
  await tx
    .updateTable("deliveries")
    .set({
      attempts: sql`attempts + 1`,
      last_status: status,
      due_at: retryAt(firstDueAt, now, jitter),
    })
    .where("subscriber_id", "=", subscriberId)
    .where("id", "=", deliveryId)
    // Another process may have delivered it after this one's lease had ended.
    .where("delivered_at", "is", null)
    .execute();
  // Failures with a longer pause than any retry has are not one outage.
  const isNew = sql<boolean>`(failing_since is null or last_failed_at < ${now - maxPauseMs})`;
  const subscriber = await tx
    .updateTable("subscribers")
    .set({
      failing_since: sql`case when ${isNew} then ${now} else failing_since end`,
      last_failed_at: now,
    })
    .where("id", "=", subscriberId)
    .returning(sql<number>`failing_since`.as("failingSince"))
    .executeTakeFirst();
  return subscriber ?? { failingSince: now };
}

/** Sends nothing more to the subscriber. False when it was disabled or removed before. */
export async function disableSubscriber({ tx, core }: TxScope, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("subscribers")
    .set({ disabled_at: core.clock.now() })
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  await tx
    .updateTable("deliveries")
    .set({ due_at: null })
    .where("subscriber_id", "=", id)
    .where("due_at", "is not", null)
    .execute();
  return numUpdatedRows === 1n;
}

/** Deletes up to `limit` deliveries that were created before, ended or not, and returns how many. */
export async function sweepDeliveries(tx: Tx, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("deliveries")
    .where(
      sql<boolean>`(subscriber_id, id) in (select subscriber_id, id from deliveries
        where created_at < ${before} order by created_at limit ${sql.lit(limit)})`,
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
