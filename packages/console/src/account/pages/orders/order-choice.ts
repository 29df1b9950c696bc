import type {
  Configuration,
  Offer,
  PlaceOrderRequest,
  ReadCatalogueAnswer,
} from "@ironlease/client";

export type Term = PlaceOrderRequest["term"];

/** Kept in the URL, so that a reload keeps it and a link shares it. */
export interface OrderChoice {
  readonly config: string | undefined;
  readonly region: string | undefined;
  readonly os: string | undefined;
  readonly term: Term;
  readonly quantity: number;
  /** The id of a saved key, `paste` for a pasted one, or undefined for none. */
  readonly ssh: string | undefined;
}

export const quantityLimits = { min: 1, max: 20 } as const;
export const pasted = "paste";

export function readChoice(search: Readonly<Record<string, unknown>>): OrderChoice {
  const text = (name: string) => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  return {
    config: text("config"),
    region: text("region"),
    os: text("os"),
    term: text("term") === "weekly" ? "weekly" : "monthly",
    quantity: clampQuantity(Number(text("quantity") ?? 1)),
    ssh: text("ssh"),
  };
}

export function clampQuantity(quantity: number): number {
  if (!Number.isFinite(quantity)) return quantityLimits.min;
  return Math.min(quantityLimits.max, Math.max(quantityLimits.min, Math.trunc(quantity)));
}

/** Applies a change, and clears a region that does not offer the configuration. */
export function choose(
  catalogue: ReadCatalogueAnswer,
  choice: OrderChoice,
  change: Partial<OrderChoice>,
): OrderChoice {
  const next = { ...choice, ...change };
  const configuration = catalogue.configurations.find(({ id }) => id === next.config);
  if (configuration === undefined) return next;
  const isOffered = configuration.offers.some(({ regionId }) => regionId === next.region);
  if (isOffered) return next;
  const [only, ...others] = configuration.offers;
  return { ...next, region: others.length === 0 ? only?.regionId : undefined };
}

export interface Chosen {
  readonly configuration: Configuration;
  readonly offer: Offer;
  readonly regionName: string;
  readonly osName: string;
}

/** The chosen catalogue items, or undefined if one is missing or no longer in the catalogue. */
export function chosenFrom(
  catalogue: ReadCatalogueAnswer,
  { config, region, os }: OrderChoice,
): Chosen | undefined {
  const configuration = catalogue.configurations.find(({ id }) => id === config);
  const offer = configuration?.offers.find(({ regionId }) => regionId === region);
  const regionName = catalogue.regions.find(({ id }) => id === region)?.name;
  const osName = catalogue.operatingSystems.find(({ id }) => id === os)?.name;
  if (configuration === undefined || offer === undefined) return undefined;
  if (regionName === undefined || osName === undefined) return undefined;
  return { configuration, offer, regionName, osName };
}

export function priceOf(offer: Offer, term: Term): number {
  return term === "weekly" ? offer.weeklyUsd : offer.monthlyUsd;
}

export const termWords: Readonly<Record<Term, { readonly per: string; readonly days: string }>> = {
  weekly: { per: "week", days: "7 days" },
  monthly: { per: "month", days: "30 days" },
};
