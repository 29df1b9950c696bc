import type { Configuration, Offer, ReadCatalogueAnswer } from "@ironlease/client";
import { offerIn, priceOf, type OrderChoice } from "./order-choice.ts";

/** An empty string means "any". Kept in the URL with the choice. */
export interface CatalogueFilter {
  readonly cores: string;
  readonly memoryGb: string;
  readonly priceUsd: string;
}

export const noFilter: CatalogueFilter = { cores: "", memoryGb: "", priceUsd: "" };

export function readFilter(search: Readonly<Record<string, unknown>>): CatalogueFilter {
  const amount = (name: string) => {
    const value = search[name];
    return typeof value === "string" && isPartialAmount(value) ? value : "";
  };
  return { cores: amount("cores"), memoryGb: amount("memoryGb"), priceUsd: amount("priceUsd") };
}

export function isPartialAmount(text: string): boolean {
  return /^\d{0,9}\.?\d{0,2}$/.test(text);
}

/** The catalogue has no core count, so it is parsed from the processor's description. */
export function coresOf({ cpu }: Pick<Configuration, "cpu">): number | undefined {
  const cores = /(?<!\d)(\d+)[ -]cores?\b/i.exec(cpu)?.[1];
  return cores === undefined ? undefined : Number(cores);
}

/** A configuration with its offer in the chosen region. */
export interface Offered {
  readonly configuration: Configuration;
  readonly offer: Offer;
}

/** What the region offers and the filter lets through: first what is available, each part by price. */
export function offersIn(
  { configurations }: ReadCatalogueAnswer,
  { region, term }: Pick<OrderChoice, "region" | "term">,
  { cores, memoryGb, priceUsd }: CatalogueFilter,
): readonly Offered[] {
  const isSold = ({ offer }: Offered) => Number(offer.available === 0);
  return configurations
    .flatMap((configuration) => {
      const offer = offerIn(configuration, region);
      return offer === undefined ? [] : [{ configuration, offer }];
    })
    .filter(
      ({ configuration, offer }) =>
        (cores === "" || (coresOf(configuration) ?? 0) >= Number(cores)) &&
        (memoryGb === "" || configuration.memoryGb >= Number(memoryGb)) &&
        (priceUsd === "" || priceOf(offer, term) <= Number(priceUsd)),
    )
    .toSorted((a, b) => {
      const bySold = isSold(a) - isSold(b);
      return bySold === 0 ? priceOf(a.offer, term) - priceOf(b.offer, term) : bySold;
    });
}
