import { sql } from "kysely";
import { prepared } from "#kernel/sql/prepared.ts";
import type { Db } from "#ports/db.ts";
import { dayMs } from "./project-renewals.ts";

export interface PastBalance {
  /** Midnight in UTC at the start of the day. */
  readonly at: number;
  readonly cents: number;
}

interface Search extends Record<string, string | number> {
  readonly accountId: string;
  /** The ends of the first and the last day. */
  readonly first: number;
  readonly last: number;
  /** The largest power of two that is at most the number of entries. */
  readonly step: number;
}

/**
 * Finds the last entry before the end of each day. Entries are in order of time and have no index by it, so this is a
 * binary search by their number, for all days in one statement.
 */
const balancesAt = prepared(["accountId", "first", "last", "step"], (db, search: Search) =>
  db
    .withRecursive("days(at)", (start) =>
      start.selectNoFrom(sql<number>`cast(${search.first} as bigint)`.as("at")).unionAll(
        start
          .selectFrom("days")
          .select(sql<number>`days.at + cast(${sql.lit(dayMs)} as bigint)`.as("at"))
          .where("days.at", "<", search.last),
      ),
    )
    .withRecursive("found(at, entry, step)", (start) =>
      start
        .selectFrom("days")
        .select(["days.at", sql<number>`cast(0 as bigint)`.as("entry")])
        .select(sql<number>`cast(${search.step} as bigint)`.as("step"))
        .unionAll(
          start
            .selectFrom("found")
            .select([
              "found.at",
              sql<number>`case when (select created_at from journal
                where account_id = ${search.accountId}
                  and sequence = found.entry + found.step) < found.at
                then found.entry + found.step else found.entry end`.as("entry"),
              sql<number>`found.step / 2`.as("step"),
            ])
            .where("found.step", ">", 0),
        ),
    )
    .selectFrom("found")
    .select((eb) => [
      "found.at",
      eb
        .selectFrom("journal")
        .select("balance_after_cents")
        .where("account_id", "=", search.accountId)
        .whereRef("sequence", "=", "found.entry")
        .as("cents"),
    ])
    .where("found.step", "=", 0),
);

/** The balance at the end of each of the last days, oldest first. Today's is not over. */
export async function pastBalances(
  db: Db,
  accountId: string,
  { entries, now, days }: { readonly entries: number; readonly now: number; readonly days: number },
): Promise<readonly PastBalance[]> {
  const midnight = Math.floor(now / dayMs) * dayMs;
  const rows = await balancesAt(db.read, {
    accountId,
    first: midnight - (days - 1) * dayMs,
    last: midnight,
    step: entries === 0 ? 0 : 2 ** Math.floor(Math.log2(entries)),
  });
  return rows
    .map(({ at, cents }) => ({ at: at - dayMs, cents: cents ?? 0 }))
    .toSorted((a, b) => a.at - b.at);
}
