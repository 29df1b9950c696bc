import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { dayMs, isoDay, LedgerDays, type DayRange } from "#kernel/ledger-days.ts";
import { monthOf } from "./month.ts";

/** What customers paid for one configuration in one region, and what was refunded. */
export interface OfferRevenue {
  readonly configId: string;
  readonly regionId: string;
  readonly chargedCents: number;
  readonly refundedCents: number;
}

export interface Revenue {
  /** `2026-11`, in UTC. */
  readonly month: string;
  /** Up to today. */
  readonly days: readonly {
    readonly day: string;
    readonly chargedCents: number;
    readonly refundedCents: number;
  }[];
  /** The highest charges first. */
  readonly offers: readonly OfferRevenue[];
}

const sums = new LedgerDays(sumDay);

/** Charges and refunds of a month by day, configuration and region. */
export async function readRevenue(core: Core, month: string | undefined): Promise<Revenue> {
  const { name, firstDay, endDay } = monthOf(core, month);
  const today = Math.floor(core.clock.now() / dayMs);
  const days = await sums.read(core, firstDay, Math.min(endDay - 1, today));
  const offers = Map.groupBy(days.flat(), ({ configId, regionId }) => `${configId} ${regionId}`);
  return {
    month: name,
    days: days.map((rows, index) => ({ day: isoDay(firstDay + index), ...totalOf(rows) })),
    offers: [...offers.values()]
      .flatMap((rows) => {
        const [first] = rows;
        return first === undefined ? [] : [{ ...first, ...totalOf(rows) }];
      })
      .toSorted((a, b) => b.chargedCents - a.chargedCents),
  };
}

function totalOf(rows: readonly OfferRevenue[]) {
  return {
    chargedCents: rows.reduce((sum, row) => sum + row.chargedCents, 0),
    refundedCents: rows.reduce((sum, row) => sum + row.refundedCents, 0),
  };
}

/** A charge refers to its order, and a renewal, a DDoS charge or a refund to its server. */
async function sumDay({ db }: Core, range: DayRange): Promise<readonly OfferRevenue[]> {
  const { rows } = await sql<OfferRevenue>`
    select coalesce(s.config_id, o.config_id) as "configId",
           coalesce(s.region_id, o.region_id) as "regionId",
           coalesce(sum(case when j.type <> 'REFUND' then j.amount_cents end), 0) as "chargedCents",
           coalesce(sum(case when j.type = 'REFUND' then j.amount_cents end), 0) as "refundedCents"
      from journal as j
      left join servers as s on j.reference_kind = 'server' and s.id = j.reference_id
      left join orders as o on j.reference_kind = 'order' and o.id = j.reference_id
     where j.id >= ${range.firstId} and j.id < ${range.lastId}
       and j.created_at >= ${range.from} and j.created_at < ${range.to}
       and j.type in ('ORDER_CHARGE', 'RENEWAL_CHARGE', 'DDOS_CHARGE', 'REFUND')
     group by 1, 2`.execute(db.read);
  return rows;
}
