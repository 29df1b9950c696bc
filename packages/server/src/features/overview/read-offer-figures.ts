import type { Core } from "#kernel/core.ts";
import type { OfferFigure } from "#ports/metrics.ts";

/** Each is a series in Prometheus, so their number has a bound. */
const maxOffers = 500;

/** How many machines each offer has for sale, from the stock counters. */
export function readOfferFigures({ db }: Pick<Core, "db">): Promise<OfferFigure[]> {
  return db.read
    .selectFrom("stock")
    .select(["config_id as configId", "region_id as regionId", "free"])
    .orderBy("config_id")
    .orderBy("region_id")
    .limit(maxOffers)
    .execute();
}
