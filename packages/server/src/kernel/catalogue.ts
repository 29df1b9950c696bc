import { centsFromUsd, type CatalogueDocument } from "@ironlease/contract";
import type { Kysely } from "kysely";
import { preparedLookup } from "./sql/prepared.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "./result.ts";
import type { Schema, Term } from "#ports/schema.ts";

/** The current catalogue, with prices indexed by configuration and region. */
export interface Catalogue {
  readonly version: number;
  readonly updatedAt: number;
  readonly document: CatalogueDocument;
  /** Of offers that are sold, the latest price first. */
  readonly prices: ReadonlyMap<string, readonly PriceFrom[]>;
  readonly osIds: ReadonlySet<string>;
}

type Offer = CatalogueDocument["configurations"][number]["offers"][number];

/** Cents per term from a time on. */
interface PriceFrom extends Readonly<Record<Term, number>> {
  readonly from: number;
}

const readVersion = preparedLookup([], (db) =>
  db.selectFrom("catalogues").select(["version", "updated_at"]).where("id", "=", 1),
);

/** The parsed catalogue of one process, kept until it changes: parsing a large document costs more than an order. */
export interface CatalogueCache {
  catalogue: Catalogue | undefined;
}

const empty = parse(0, 0, { regions: [], operatingSystems: [], configurations: [], discounts: [] });

/** Reads the catalogue within the given transaction, so that an order is charged the current price. */
export async function currentCatalogue(
  db: Kysely<Schema>,
  { catalogueCache }: { readonly catalogueCache: CatalogueCache },
): Promise<Catalogue> {
  const row = await readVersion(db, {});
  if (row === undefined) return empty;
  const known = catalogueCache.catalogue;
  // The time is compared too: a version that was read in a rolled-back transaction is issued again.
  if (known?.version === row.version && known.updatedAt === row.updated_at) return known;
  const { version, updated_at, document } = await db
    .selectFrom("catalogues")
    .select(["version", "updated_at", "document"])
    .where("id", "=", 1)
    .executeTakeFirstOrThrow();
  const catalogue = parse(version, updated_at, JSON.parse(document) as CatalogueDocument);
  catalogueCache.catalogue = catalogue;
  return catalogue;
}

function parse(version: number, updatedAt: number, document: CatalogueDocument): Catalogue {
  const prices = new Map<string, readonly PriceFrom[]>();
  for (const configuration of document.configurations) {
    for (const offer of configuration.offers) {
      if (offer.hidden === true) continue;
      prices.set(offerKey(configuration.id, offer.regionId), pricesOf(offer));
    }
  }
  return {
    version,
    updatedAt,
    document,
    prices,
    osIds: new Set(document.operatingSystems.map(({ id }) => id)),
  };
}

/** The offer's own price, which has always applied, and its scheduled ones. The latest comes first. */
function pricesOf({ weeklyUsd, monthlyUsd, scheduledPrices = [] }: Offer): readonly PriceFrom[] {
  const own = { from: Number.NEGATIVE_INFINITY, weeklyUsd, monthlyUsd };
  const later = scheduledPrices.map((price) => ({ ...price, from: Date.parse(price.from) }));
  return [own, ...later]
    .map(({ from, ...usd }) => ({
      from,
      weekly: exactCents(usd.weeklyUsd),
      monthly: exactCents(usd.monthlyUsd),
    }))
    .toSorted((a, b) => b.from - a.from);
}

/** The prices of an offer at a time: those of the latest scheduled price that has begun, or its own. */
export function usdAt(offer: Offer, now: number): Pick<Offer, "weeklyUsd" | "monthlyUsd"> {
  const { weeklyUsd, monthlyUsd } =
    offer.scheduledPrices?.findLast(({ from }) => Date.parse(from) <= now) ?? offer;
  return { weeklyUsd, monthlyUsd };
}

function exactCents(usd: number): number {
  const cents = centsFromUsd(usd);
  if (cents === undefined) throw new Error("a price in the catalogue is not a number of cents");
  return cents;
}

function offerKey(configId: string, regionId: string): string {
  return `${configId} ${regionId}`;
}

export interface Choice {
  readonly configId: string;
  readonly regionId: string;
  readonly osId: string;
  readonly term: Term;
  readonly quantity: number;
}

export interface Price {
  readonly unitCents: number;
  readonly discountPercent: number;
  readonly totalCents: number;
}

/**
 * The price of a choice at a time, or the field that is not in the catalogue. A hidden offer is refused like one that
 * does not exist. Orders pass the time of their transaction, so that a quote and an order at one time agree.
 */
export function priceOf(catalogue: Catalogue, choice: Choice, now: number): Result<Price> {
  const { document, prices, osIds } = catalogue;
  if (!document.configurations.some(({ id }) => id === choice.configId)) {
    return refuseField("configId", "is not in the catalogue");
  }
  if (!document.regions.some(({ id }) => id === choice.regionId)) {
    return refuseField("regionId", "is not in the catalogue");
  }
  const offer = prices
    .get(offerKey(choice.configId, choice.regionId))
    ?.find(({ from }) => from <= now);
  if (offer === undefined) {
    return refuseField("regionId", "does not offer this configuration");
  }
  if (!osIds.has(choice.osId)) return refuseField("osId", "is not in the catalogue");
  const unitCents = offer[choice.term];
  const discountPercent = bestDiscount(document, choice.quantity);
  return ok({
    unitCents,
    discountPercent,
    totalCents: discounted(unitCents * choice.quantity, discountPercent),
  });
}

/** A choice by the names that the customer saw: `2 × Metal M in Frankfurt, monthly`. */
export function choiceText({ document }: Catalogue, choice: Choice): string {
  const { configId, regionId, term, quantity } = choice;
  const configuration = document.configurations.find(({ id }) => id === configId)?.name;
  const region = document.regions.find(({ id }) => id === regionId)?.name;
  return `${quantity} × ${configuration ?? configId} in ${region ?? regionId}, ${term}`;
}

function bestDiscount(document: CatalogueDocument, quantity: number): number {
  const applicable = document.discounts.filter(({ minQuantity }) => quantity >= minQuantity);
  return Math.max(0, ...applicable.map(({ percent }) => percent));
}

/**
 * Subtracts a percentage of at most two decimals and rounds half up, in integers. The result is at least one cent,
 * because every order is charged (ADR 20).
 */
function discounted(cents: number, percent: number): number {
  const keptParts = 10_000n - BigInt(Math.round(percent * 100));
  return Math.max(1, Number((BigInt(cents) * keptParts + 5_000n) / 10_000n));
}

/** Splits the total among the servers. Where the cents do not divide evenly, the first servers get one cent more. */
export function sharesOf(totalCents: number, quantity: number): readonly number[] {
  const least = Math.floor(totalCents / quantity);
  const withOneMore = totalCents - least * quantity;
  return Array.from({ length: quantity }, (_, index) => least + (index < withOneMore ? 1 : 0));
}
