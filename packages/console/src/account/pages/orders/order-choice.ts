import type {
  Configuration,
  Offer,
  PlaceOrderRequest,
  ReadCatalogueAnswer,
  SshKey,
} from "@ironlease/client";

export type Term = PlaceOrderRequest["term"];

/** Kept in the URL, so that a reload keeps it and a link shares it. */
export interface OrderChoice {
  readonly config: string | undefined;
  readonly region: string | undefined;
  readonly os: string | undefined;
  readonly term: Term;
  readonly quantity: number;
  /** The id of a saved key, `paste` or `none`. Undefined for the first saved key, if there is one. */
  readonly ssh: string | undefined;
}

export const quantityLimits = { min: 1, max: 20 } as const;
export const pasted = "paste";
export const noKey = "none";

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

/** Fills in the first region with free machines and the first operating system, so that prices show at once. */
export function withDefaults(catalogue: ReadCatalogueAnswer, choice: OrderChoice): OrderChoice {
  const { regions, operatingSystems } = catalogue;
  const free = regions.find(({ id }) => machinesIn(catalogue, id) > 0);
  return {
    ...choice,
    region: choice.region ?? (free ?? regions[0])?.id,
    os: choice.os ?? operatingSystems[0]?.id,
  };
}

/** All machines for sale in a region. */
export function machinesIn({ configurations }: ReadCatalogueAnswer, regionId: string): number {
  return configurations.reduce(
    (sum, configuration) => sum + (offerIn(configuration, regionId)?.available ?? 0),
    0,
  );
}

export function offerIn(
  { offers }: Pick<Configuration, "offers">,
  regionId: string | undefined,
): Offer | undefined {
  return offers.find((offer) => offer.regionId === regionId);
}

/** Applies a change, and clears a configuration that the region does not offer. */
export function choose(
  catalogue: ReadCatalogueAnswer,
  choice: OrderChoice,
  change: Partial<OrderChoice>,
): OrderChoice {
  const next = { ...choice, ...change };
  const configuration = catalogue.configurations.find(({ id }) => id === next.config);
  const offer = configuration && offerIn(configuration, next.region);
  return offer === undefined ? { ...next, config: undefined } : next;
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
  const offer = configuration && offerIn(configuration, region);
  const regionName = catalogue.regions.find(({ id }) => id === region)?.name;
  const osName = catalogue.operatingSystems.find(({ id }) => id === os)?.name;
  if (configuration === undefined || offer === undefined) return undefined;
  if (regionName === undefined || osName === undefined) return undefined;
  return { configuration, offer, regionName, osName };
}

/** The chosen key: the first saved one unless the customer chose otherwise. */
export function sshChoice(ssh: string | undefined, saved: readonly SshKey[]): string {
  return ssh ?? saved[0]?.id ?? noKey;
}

export function priceOf(offer: Offer, term: Term): number {
  return term === "weekly" ? offer.weeklyUsd : offer.monthlyUsd;
}

export const termWords: Readonly<Record<Term, { readonly per: string; readonly days: string }>> = {
  weekly: { per: "week", days: "7 days" },
  monthly: { per: "month", days: "30 days" },
};
