import type { Core } from "#kernel/core.ts";
import { dayMs, isoDay, LedgerDays, type DayRange } from "#kernel/ledger-days.ts";
import type { JournalType } from "#ports/schema.ts";

export interface DayOfMoney {
  /** In UTC: `2026-11-15`. */
  readonly day: string;
  /** Charges minus refunds, so it may be negative. */
  readonly revenueCents: number;
  readonly depositsCents: number;
  readonly payoutsCents: number;
}

const sums = new LedgerDays(sumDay);

/** Totals of each of the last days, today last. */
export async function moneyByDay(core: Core, count: number): Promise<readonly DayOfMoney[]> {
  const today = Math.floor(core.clock.now() / dayMs);
  return sums.read(core, today - count + 1, today);
}

async function sumDay({ db }: Core, { from, to, firstId, lastId }: DayRange): Promise<DayOfMoney> {
  const rows = await db.read
    .selectFrom("journal")
    .select(({ fn }) => ["type", fn.sum<number>("amount_cents").as("cents")])
    .where("id", ">=", firstId)
    .where("id", "<", lastId)
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .groupBy("type")
    .execute();
  const sum = (type: JournalType) => rows.find((row) => row.type === type)?.cents ?? 0;
  return {
    day: isoDay(from / dayMs),
    revenueCents: sum("ORDER_CHARGE") + sum("RENEWAL_CHARGE") + sum("DDOS_CHARGE") - sum("REFUND"),
    depositsCents: sum("DEPOSIT"),
    payoutsCents: sum("WITHDRAWAL_PAYOUT"),
  };
}
