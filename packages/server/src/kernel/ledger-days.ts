import { yieldToEventLoop } from "#kernel/concurrency/yield-to-event-loop.ts";
import type { Db } from "#ports/db.ts";
import type { Core } from "./core.ts";

export const dayMs = 86_400_000;

/**
 * How far an entry's id and its time may differ, after a clock was set back or when another instance's clock is
 * behind. A day that ended longer ago no longer changes, because the journal is append-only.
 */
const slackMs = 3_600_000;

/** More than a year, so that a report of every month of a year is cached. */
const maxDays = 400;

interface Cached<T> {
  /** By the number of days since 1970. Only days that are over. */
  readonly days: Map<number, T>;
  readAt: number;
}

/** Where a day's entries are: by id, which is in time order, so that no extra index is needed, and by exact time. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
  readonly firstId: string;
  readonly lastId: string;
}

/**
 * Sums of the ledger's days in UTC. A busy month has hundreds of thousands of entries, and SQLite blocks all requests
 * while it sums them, so each day has its own query, and past days are cached.
 */
export class LedgerDays<T> {
  readonly #sum: (core: Core, range: DayRange) => Promise<T>;
  readonly #caches = new WeakMap<Db, Cached<T>>();

  constructor(sum: (core: Core, range: DayRange) => Promise<T>) {
    this.#sum = sum;
  }

  /** The sums of days from the first to the last, given as numbers of days since 1970. */
  async read(core: Core, first: number, last: number): Promise<readonly T[]> {
    const now = core.clock.now();
    const { days } = this.#cacheOf(core.db, now);
    const read: T[] = [];
    for (let day = first; day <= last; day += 1) {
      const known = days.get(day);
      const sums = known ?? (await this.#sum(core, rangeOf(core, day)));
      if (known === undefined) await yieldToEventLoop();
      if (known === undefined && now >= (day + 1) * dayMs + slackMs) this.#keep(days, day, sums);
      read.push(sums);
    }
    return read;
  }

  #keep(days: Map<number, T>, day: number, sums: T): void {
    days.set(day, sums);
    const oldest = days.keys().next().value;
    if (days.size > maxDays && oldest !== undefined) days.delete(oldest);
  }

  /** Invalidates the cache when the clock has gone back, because it may have been filled while the clock was ahead. */
  #cacheOf(db: Db, now: number): Cached<T> {
    let cache = this.#caches.get(db);
    if (cache === undefined || now < cache.readAt) cache = { days: new Map(), readAt: now };
    cache.readAt = now;
    this.#caches.set(db, cache);
    return cache;
  }
}

export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

function rangeOf({ ids }: Core, day: number): DayRange {
  const [from, to] = [day * dayMs, (day + 1) * dayMs];
  return { from, to, ...idsBetween({ ids }, from, to) };
}

/** The ids that entries between two times can have. */
export function idsBetween({ ids }: Pick<Core, "ids">, from: number, to: number) {
  return {
    firstId: ids.floor("ledgerEntry", from - slackMs),
    lastId: ids.floor("ledgerEntry", to + slackMs),
  };
}
