import type { EventType } from "@ironlease/contract";
import type { Erase } from "#kernel/closed-account.ts";
import type { TxScope } from "#kernel/call.ts";
import type { Tx } from "#ports/db.ts";
import type { Channel } from "#ports/schema.ts";

export interface NewSubscriber {
  readonly id: string;
  readonly accountId: string;
  readonly channel: Channel;
  /** Undefined for all, including those of later versions. */
  readonly events: readonly EventType[] | undefined;
}

/** From now on, the account's events are recorded for it. */
export async function addSubscriber(
  { tx, core }: TxScope,
  { id, accountId, channel, events }: NewSubscriber,
): Promise<void> {
  await tx
    .insertInto("subscribers")
    .values({
      id,
      account_id: accountId,
      channel,
      events: events === undefined ? null : ` ${events.join(" ")} `,
      created_at: core.clock.now(),
      disabled_at: null,
      failing_since: null,
      last_failed_at: null,
      leased_until: 0,
      paused_until: 0,
    })
    .execute();
}

/** Removes it with its deliveries. False when the account has no such subscriber. */
export async function removeSubscriber(
  tx: Tx,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("subscribers")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Removes every subscriber with its deliveries. */
export const eraseSubscribers: Erase = async ({ tx }, accountId) => {
  await tx.deleteFrom("subscribers").where("account_id", "=", accountId).execute();
};
