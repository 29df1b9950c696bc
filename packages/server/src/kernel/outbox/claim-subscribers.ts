import { sql } from "kysely";
import type { TxScope } from "#kernel/call.ts";
import type { Channel } from "#ports/schema.ts";

/** A subscriber that this process alone sends to, until the lease ends. */
export interface ClaimedSubscriber {
  readonly id: string;
  readonly accountId: string;
  readonly leasedUntil: number;
}

export interface Claim {
  readonly channel: Channel;
  readonly limit: number;
  readonly leaseMs: number;
}

/**
 * Leases subscribers that have something due, those first that have waited longest. The lease is for the subscriber
 * and not for one delivery, so that a receiver with many deliveries does not delay the others. If the process dies,
 * the lease ends and another process sends again.
 */
export async function claimSubscribers(
  { tx, core }: TxScope,
  { channel, limit, leaseMs }: Claim,
): Promise<readonly ClaimedSubscriber[]> {
  const now = core.clock.now();
  const pending = sql`deliveries.channel = ${channel} and deliveries.due_at is not null`;
  // Each index lookup skips to the next subscriber, however many deliveries each of them has.
  const claimable = await tx
    .withRecursive("waiting(id)", (db) =>
      db
        .selectFrom("deliveries")
        .select(sql<string | null>`min(subscriber_id)`.as("id"))
        .where(sql<boolean>`${pending}`)
        .unionAll(
          db
            .selectFrom("waiting")
            .select(
              sql<string | null>`(select min(subscriber_id) from deliveries
                where ${pending} and deliveries.subscriber_id > waiting.id)`.as("id"),
            )
            .where("waiting.id", "is not", null),
        ),
    )
    .selectFrom("waiting")
    .innerJoin("subscribers", "subscribers.id", "waiting.id")
    .select(["subscribers.id", "subscribers.account_id as accountId"])
    .where("subscribers.disabled_at", "is", null)
    .where("subscribers.leased_until", "<=", now)
    .where("subscribers.paused_until", "<=", now)
    .where(
      sql<boolean>`exists (select 1 from deliveries
        where ${pending} and deliveries.subscriber_id = waiting.id and deliveries.due_at <= ${now})`,
    )
    .orderBy("subscribers.leased_until")
    .limit(limit)
    // Transactions that record an event for it need not wait.
    .forNoKeyUpdate("subscribers")
    .skipLocked()
    .execute();
  if (claimable.length === 0) return [];
  const leasedUntil = now + leaseMs;
  await tx
    .updateTable("subscribers")
    .set({ leased_until: leasedUntil })
    .where(
      "id",
      "in",
      claimable.map(({ id }) => id),
    )
    .execute();
  return claimable.map((subscriber) => ({ ...subscriber, leasedUntil }));
}

/** Ends the lease, unless it has expired and another process has the subscriber. `pauseMs` delays the next claim. */
export async function releaseSubscriber(
  { tx, core }: TxScope,
  { id, leasedUntil }: ClaimedSubscriber,
  pauseMs: number,
): Promise<void> {
  const now = core.clock.now();
  await tx
    .updateTable("subscribers")
    .set({ leased_until: now, paused_until: now + pauseMs })
    .where("id", "=", id)
    .where("leased_until", "=", leasedUntil)
    .execute();
}
