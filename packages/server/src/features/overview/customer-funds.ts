import type { Core } from "#kernel/core.ts";
import type { Db } from "#ports/db.ts";
import type { CustomerFunds } from "#ports/metrics.ts";

type Source = Pick<Core, "db" | "clock">;

const maxAgeMs = 60_000;

const cache = new WeakMap<Db, CustomerFunds>();

/**
 * The sums of all customers' balances, at most a minute old. Summing reads every account, so a background job refreshes
 * the cache and readers do not wait. A running total would be one row that every movement of money locks.
 */
export async function customerFunds({ db, clock }: Source): Promise<CustomerFunds> {
  const cached = cache.get(db);
  // `abs`, so that sums do not stay fresh for long after the clock is set back.
  const isFresh = cached !== undefined && Math.abs(clock.now() - cached.fundsAt) < maxAgeMs;
  return isFresh ? cached : sumCustomerFunds({ db, clock });
}

export async function sumCustomerFunds({ db, clock }: Source): Promise<CustomerFunds> {
  const fundsAt = clock.now();
  const sums = await db.read
    .selectFrom("balances")
    .select(({ fn }) => [
      fn.sum<number | null>("available_cents").as("available"),
      fn.sum<number | null>("held_cents").as("held"),
    ])
    .executeTakeFirst();
  const availableCents = sums?.available ?? 0;
  const funds = { availableCents, heldCents: sums?.held ?? 0, fundsAt };
  cache.set(db, funds);
  return funds;
}
