import type { EventType } from "@ironlease/contract";
import type { Core } from "#server/kernel/core.ts";
import { addSubscriber } from "#server/kernel/outbox/subscribers.ts";
import { ok } from "#server/kernel/result.ts";
import { valueOf } from "./use-cases.ts";

/** Subscribes the account to events that nothing sends, so that they stay in the outbox. */
export async function subscribe(
  core: Core,
  accountId: string,
  events?: readonly EventType[],
): Promise<string> {
  const id = core.ids.next("webhook");
  const subscriber = { id, accountId, channel: "WEBHOOK", events } as const;
  await valueOf(core.db.write(async (tx) => ok(await addSubscriber({ tx, core }, subscriber))));
  return id;
}

/** The account's events in the outbox, oldest first. */
export async function eventsOf({ db }: Pick<Core, "db">, accountId: string) {
  const rows = await db.read
    .selectFrom("deliveries")
    .select(["event", "data"])
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
  return rows.map(({ event, data }) => ({
    event,
    data: JSON.parse(data) as Readonly<Record<string, unknown>>,
  }));
}
