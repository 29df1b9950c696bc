import type { Configuration, ReadCatalogueAnswer } from "@ironlease/client";
import { priceOf, type Term } from "./order-choice.ts";

/** An empty string means "any". */
export interface CatalogueFilter {
  readonly region: string;
  readonly cores: string;
  readonly memoryGb: string;
  readonly priceUsd: string;
}

export const noFilter: CatalogueFilter = { region: "", cores: "", memoryGb: "", priceUsd: "" };

/** The catalogue has no core count, so it is parsed from the processor's description. */
export function coresOf({ cpu }: Pick<Configuration, "cpu">): number | undefined {
  const cores = /(?<!\d)(\d+)[ -]cores?\b/i.exec(cpu)?.[1];
  return cores === undefined ? undefined : Number(cores);
}

export function filterCatalogue(
  { configurations }: ReadCatalogueAnswer,
  filter: CatalogueFilter,
  term: Term,
): readonly Configuration[] {
  const { region, cores, memoryGb, priceUsd } = filter;
  return configurations.filter((configuration) => {
    const offers = configuration.offers.filter(
      ({ regionId }) => region === "" || regionId === region,
    );
    return (
      offers.length > 0 &&
      (cores === "" || (coresOf(configuration) ?? 0) >= Number(cores)) &&
      (memoryGb === "" || configuration.memoryGb >= Number(memoryGb)) &&
      (priceUsd === "" || offers.some((offer) => priceOf(offer, term) <= Number(priceUsd)))
    );
  });
}
