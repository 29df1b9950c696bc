import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { dayMs } from "#kernel/ledger-days.ts";

export interface BalanceAge {
  /** Days since the account's last ledger entry: from, and up to but not including. Null: no end. */
  readonly fromDays: number;
  readonly toDays: number | null;
  readonly accounts: number;
  readonly availableCents: number;
  readonly heldCents: number;
}

const ages = [
  { fromDays: 0, toDays: 30 },
  { fromDays: 30, toDays: 90 },
  { fromDays: 90, toDays: 180 },
  { fromDays: 180, toDays: 365 },
  { fromDays: 365, toDays: null },
] as const;

/** Customers' money by the time since the last movement of the account. Reads one entry of each account with money. */
export async function readBalanceAges({ db, clock }: Core): Promise<readonly BalanceAge[]> {
  const now = clock.now();
  const [a, b, c, d] = [30, 90, 180, 365].map((days) => now - days * dayMs);
  const { rows } = await sql<{
    readonly age: number;
    readonly accounts: number;
    readonly available: number;
    readonly held: number;
  }>`
    select case when at > ${a} then 0 when at > ${b} then 1
                when at > ${c} then 2 when at > ${d} then 3 else 4 end as age,
           count(*) as accounts, sum(available_cents) as available, sum(held_cents) as held
      from (select available_cents, held_cents,
                   (select created_at from journal
                     where account_id = b.account_id and sequence = b.entries) as at
              from balances as b
             where available_cents + held_cents > 0) as funds
     group by 1`.execute(db.read);
  return ages.map((age, index) => {
    const row = rows.find((found) => found.age === index);
    return {
      ...age,
      accounts: row?.accounts ?? 0,
      availableCents: row?.available ?? 0,
      heldCents: row?.held ?? 0,
    };
  });
}
