import type { Core } from "#kernel/core.ts";
import type { Db } from "#ports/db.ts";
import type { JournalType } from "#ports/schema.ts";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

export interface DayOfMoney {
  /** In UTC: `2026-11-15`. */
  readonly day: string;
  /** Charges minus refunds, so it may be negative. */
  readonly revenueCents: number;
  readonly depositsCents: number;
  readonly payoutsCents: number;
}

const dayMs = 86_400_000;

/**
 * How far an entry's id and its time may differ, after a clock was set back or when another instance's clock is
 * behind. A day that ended longer ago no longer changes, because the journal is append-only.
 */
const slackMs = 3_600_000;

interface DayCache {
  /** By the number of days since 1970. Only days that are over. */
  readonly days: Map<number, DayOfMoney>;
  readAt: number;
}

const caches = new WeakMap<Db, DayCache>();

/**
 * Totals of each of the last days, today last. A busy month has hundreds of thousands of entries, and SQLite blocks all
 * requests while it sums them, so each day has its own query, and past days are cached.
 */
export async function moneyByDay(core: Core, count: number): Promise<readonly DayOfMoney[]> {
  const now = core.clock.now();
  const today = Math.floor(now / dayMs);
  const cache = cacheOf(core.db, now);
  for (const known of cache.days.keys()) {
    if (known <= today - count) cache.days.delete(known);
  }
  const days: DayOfMoney[] = [];
  for (let day = today - count + 1; day <= today; day += 1) {
    const sums = cache.days.get(day) ?? (await sumDay(core, day));
    if (now >= (day + 1) * dayMs + slackMs) cache.days.set(day, sums);
    days.push(sums);
  }
  return days;
}

/** Invalidates the cache when the clock has gone back, because it may have been filled while the clock was ahead. */
function cacheOf(db: Db, now: number): DayCache {
  let cache = caches.get(db);
  if (cache === undefined || now < cache.readAt) cache = { days: new Map(), readAt: now };
  cache.readAt = now;
  caches.set(db, cache);
  return cache;
}

/** Entries are found by id, which is in time order, so no extra index is needed. */
async function sumDay({ db, ids }: Core, day: number): Promise<DayOfMoney> {
  const [from, to] = [day * dayMs, (day + 1) * dayMs];
  const rows = await db.read
    .selectFrom("journal")
    .select(({ fn }) => ["type", fn.sum<number>("amount_cents").as("cents")])
    .where("id", ">=", ids.floor("ledgerEntry", from - slackMs))
    .where("id", "<", ids.floor("ledgerEntry", to + slackMs))
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .groupBy("type")
    .execute();
  await yieldToEventLoop();
  const sum = (type: JournalType) => rows.find((row) => row.type === type)?.cents ?? 0;
  return {
    day: new Date(from).toISOString().slice(0, 10),
    revenueCents: sum("ORDER_CHARGE") + sum("RENEWAL_CHARGE") + sum("DDOS_CHARGE") - sum("REFUND"),
    depositsCents: sum("DEPOSIT"),
    payoutsCents: sum("WITHDRAWAL_PAYOUT"),
  };
}
