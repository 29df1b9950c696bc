import { currentCatalogue, priceOf, type Choice, type Price } from "#kernel/catalogue.ts";
import type { Core } from "#kernel/core.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";

export interface Quote extends Price {
  /** Whether the stock covers the quantity now. Nothing is reserved. */
  readonly isAvailable: boolean;
}

const readFree = prepared(
  ["configId", "regionId"],
  (db, { configId, regionId }: { configId: string; regionId: string }) =>
    db
      .selectFrom("stock")
      .select("free")
      .where("config_id", "=", configId)
      .where("region_id", "=", regionId),
);

/** The current price of an order, or the field that is not in the catalogue. */
export async function readQuote(core: Core, choice: Choice): Promise<Result<Quote>> {
  const catalogue = await currentCatalogue(core.db.read, core);
  const price = priceOf(catalogue, choice, core.clock.now());
  if (!price.ok) return price;
  const { configId, regionId, quantity } = choice;
  const [stock] = await readFree(core.db.read, { configId, regionId });
  return ok({ ...price.value, isAvailable: (stock?.free ?? 0) >= quantity });
}
