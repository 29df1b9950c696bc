import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Term } from "#ports/schema.ts";

/** What the living servers of one configuration in one region bring in 30 days. */
export interface RecurringOffer {
  readonly configId: string;
  readonly regionId: string;
  readonly servers: number;
  readonly monthlyCents: number;
}

interface Row {
  readonly configId: string;
  readonly regionId: string;
  readonly term: Term;
  readonly servers: number;
  readonly cents: number;
}

/** Weekly prices count 30/7 times. */
const termsIn30Days: Readonly<Record<Term, number>> = { weekly: 30 / 7, monthly: 1 };

/** Monthly recurring revenue: prices with DDoS protection of all delivered servers, by offer. */
export async function readRecurring({ db }: Core): Promise<readonly RecurringOffer[]> {
  // The index has every column, in the order of the groups.
  const { rows } = await sql<Row>`
    select config_id as "configId", region_id as "regionId", term,
           count(*) as servers, sum(price_cents + ddos_cents) as cents
      from servers
     where state in ('ACTIVE', 'GRACE', 'SUSPENDED')
     group by config_id, region_id, term`.execute(db.read);
  const offers = Map.groupBy(rows, ({ configId, regionId }) => `${configId} ${regionId}`);
  return [...offers.values()]
    .flatMap((terms) => {
      const [first] = terms;
      if (first === undefined) return [];
      const { configId, regionId } = first;
      const servers = terms.reduce((sum, row) => sum + row.servers, 0);
      const cents = terms.reduce((sum, row) => sum + row.cents * termsIn30Days[row.term], 0);
      return [{ configId, regionId, servers, monthlyCents: Math.round(cents) }];
    })
    .toSorted((a, b) => b.monthlyCents - a.monthlyCents);
}
