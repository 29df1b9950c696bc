import type { ReadCatalogueDocumentAnswer } from "@ironlease/client/operator";

export type CatalogueDocument = ReadCatalogueDocumentAnswer;
export type Offer = CatalogueDocument["configurations"][number]["offers"][number];

/** One row of the price grid. */
export interface OfferRow {
  readonly configId: string;
  readonly configName: string;
  readonly offer: Offer;
  /** Its place in the document: `configurations.0.offers.1`. */
  readonly path: string;
}

/** Every offer of a document. */
export function offerRows({ configurations }: CatalogueDocument): readonly OfferRow[] {
  return configurations.flatMap(({ id: configId, name: configName, offers }, index) =>
    offers.map((offer, at) => ({
      configId,
      configName,
      offer,
      path: `configurations.${index}.offers.${at}`,
    })),
  );
}

/** Checks what the grid and the forms need, which an edit of the text can break. The server checks the rest. */
export function isCatalogue(value: unknown): value is CatalogueDocument {
  const { configurations, regions, operatingSystems, discounts } = fieldsOf(value);
  return (
    isListOf(configurations, (configuration) => {
      const { offers } = fieldsOf(configuration);
      return isNamed(configuration) && isListOf(offers, isOffer);
    }) &&
    isListOf(regions, isNamed) &&
    isListOf(operatingSystems, isNamed) &&
    isListOf(discounts, (discount) => typeof fieldsOf(discount)["minQuantity"] === "number")
  );
}

function isNamed(value: unknown): boolean {
  const { id, name } = fieldsOf(value);
  return typeof id === "string" && typeof name === "string";
}

function isOffer(value: unknown): boolean {
  const { regionId, scheduledPrices = [], ...prices } = fieldsOf(value);
  return (
    typeof regionId === "string" &&
    hasPrices(prices) &&
    isListOf(scheduledPrices, (price) => {
      const { from, ...later } = fieldsOf(price);
      return typeof from === "string" && hasPrices(later);
    })
  );
}

function hasPrices({ weeklyUsd, monthlyUsd }: Fields): boolean {
  return typeof weeklyUsd === "number" && typeof monthlyUsd === "number";
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown) => (value ?? {}) as Fields;

const isListOf = (value: unknown, isOne: (one: unknown) => boolean) =>
  Array.isArray(value) && value.every(isOne);

/** The document with one offer changed. Undefined values remove a field. */
export function withOffer(
  document: CatalogueDocument,
  { configId, offer: { regionId } }: OfferRow,
  changes: Readonly<{ [Name in keyof Offer]?: Offer[Name] | undefined }>,
): CatalogueDocument {
  return withOffers(document, configId, (offers) =>
    offers.map((own) => (own.regionId === regionId ? ({ ...own, ...changes } as Offer) : own)),
  );
}

/** The document with the offers of one configuration changed. */
export function withOffers(
  document: CatalogueDocument,
  configId: string,
  change: (offers: readonly Offer[]) => readonly Offer[],
): CatalogueDocument {
  return {
    ...document,
    configurations: document.configurations.map((configuration) =>
      configuration.id === configId
        ? { ...configuration, offers: change(configuration.offers) }
        : configuration,
    ),
  };
}

/** The price that a user typed, exactly. Undefined for anything but a positive sum with up to two decimals. */
export function priceIn(text: string): number | undefined {
  const price = Number(text.trim());
  return /^\d{1,9}(?:\.\d{1,2})?$/.test(text.trim()) && price > 0 ? price : undefined;
}
