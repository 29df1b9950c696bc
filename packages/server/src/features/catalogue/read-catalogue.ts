import type { CatalogueDocument } from "@ironlease/contract";
import { usdAt } from "#kernel/catalogue.ts";
import type { Core } from "#kernel/core.ts";
import { prepared } from "#kernel/sql/prepared.ts";

type Configuration = CatalogueDocument["configurations"][number];
type Offer = Pick<Configuration["offers"][number], "regionId" | "weeklyUsd" | "monthlyUsd">;

/** The catalogue as customers see it: offers on sale at their current prices, with the stock of each. */
export interface CatalogueOnSale extends Omit<CatalogueDocument, "configurations"> {
  configurations: (Omit<Configuration, "offers"> & { offers: (Offer & { available: number })[] })[];
}

const readDocument = prepared([], (db) =>
  db.selectFrom("catalogues").select("document").where("id", "=", 1),
);

const readStock = prepared([], (db) =>
  db.selectFrom("stock").select(["config_id", "region_id", "free"]).where("free", ">", 0),
);

/** Takes two queries for a catalogue of any size: one for the document, one for the stock. */
export async function readCatalogue({ db, clock }: Core): Promise<CatalogueOnSale> {
  const [[row], stock] = await Promise.all([readDocument(db.read, {}), readStock(db.read, {})]);
  if (row === undefined) {
    return { configurations: [], regions: [], operatingSystems: [], discounts: [] };
  }
  const document = JSON.parse(row.document) as CatalogueDocument;
  const now = clock.now();
  const free = new Map(stock.map((entry) => [`${entry.config_id} ${entry.region_id}`, entry.free]));
  return {
    ...document,
    configurations: document.configurations.map((configuration) => ({
      ...configuration,
      offers: configuration.offers
        .filter(({ hidden }) => hidden !== true)
        .map((offer) => ({
          regionId: offer.regionId,
          ...usdAt(offer, now),
          available: free.get(`${configuration.id} ${offer.regionId}`) ?? 0,
        })),
    })),
  };
}
