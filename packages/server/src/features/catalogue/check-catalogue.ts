import { catalogueDocument, centsFromUsd, type CatalogueDocument } from "@ironlease/contract";
import { readUtcTime } from "#kernel/iso-time.ts";
import { compileSchemaCheck, type Fault } from "#kernel/field-checks.ts";

export type CheckedCatalogue =
  | { readonly ok: true; readonly document: CatalogueDocument }
  | { readonly ok: false; readonly faults: readonly Fault[] };

const checkSchema = compileSchemaCheck(catalogueDocument);

/**
 * Checks that a value is a catalogue, and lists every fault. References between parts are checked only once every
 * part is well-formed.
 */
export function checkCatalogue(value: unknown): CheckedCatalogue {
  const candidate = withoutSchemaReference(value);
  const malformed = checkSchema(candidate);
  if (malformed.length > 0) return { ok: false, faults: malformed };

  const document = candidate as CatalogueDocument;
  const faults = [
    ...repeated(document.regions, ["regions"], "id"),
    ...repeated(document.operatingSystems, ["operatingSystems"], "id"),
    ...repeated(document.configurations, ["configurations"], "id"),
    ...repeated(document.discounts, ["discounts"], "minQuantity"),
    ...offerFaults(document),
    ...discountFaults(document),
    ...unfitTexts(document, []),
  ];
  return faults.length > 0 ? { ok: false, faults } : { ok: true, document };
}

/** Editors validate a document against the schema that `$schema` names. It is not part of the catalogue. */
function withoutSchemaReference(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { $schema, ...rest } = value as Readonly<Record<string, unknown>>;
  return typeof $schema === "string" ? rest : value;
}

/** Reports every item that repeats an earlier item's key, and where the first one is. */
function repeated<Key extends string>(
  items: readonly Readonly<Record<Key, string | number>>[],
  path: readonly string[],
  key: Key,
): readonly Fault[] {
  const firstAt = new Map<string | number, number>();
  return items.flatMap((item, index) => {
    const earlier = firstAt.get(item[key]);
    if (earlier === undefined) {
      firstAt.set(item[key], index);
      return [];
    }
    const message = `must be unique, but ${[...path, earlier].join(".")} has the same value`;
    return [{ path: [...path, String(index), key], message }];
  });
}

function offerFaults({ regions, configurations }: CatalogueDocument): readonly Fault[] {
  const regionIds = new Set(regions.map(({ id }) => id));
  return configurations.flatMap(({ offers }, configuration) => {
    const path = ["configurations", String(configuration), "offers"];
    const ofEach = offers.flatMap(({ regionId, weeklyUsd, monthlyUsd, scheduledPrices }, offer) => {
      const own = [...path, String(offer)];
      const at = (field: string, message: string): Fault => ({ path: [...own, field], message });
      return [
        ...(regionIds.has(regionId)
          ? []
          : [at("regionId", "must be the id of one of the regions")]),
        ...(isExact(weeklyUsd) ? [] : [at("weeklyUsd", "must have at most two decimals")]),
        ...(isExact(monthlyUsd) ? [] : [at("monthlyUsd", "must have at most two decimals")]),
        ...scheduleFaults(scheduledPrices ?? [], [...own, "scheduledPrices"]),
      ];
    });
    return [...repeated(offers, path, "regionId"), ...ofEach];
  });
}

type ScheduledPrices = NonNullable<
  CatalogueDocument["configurations"][number]["offers"][number]["scheduledPrices"]
>;

/** One order only, so that the price at a time cannot depend on how the list is read. */
function scheduleFaults(prices: ScheduledPrices, path: readonly string[]): readonly Fault[] {
  let earlier = Number.NEGATIVE_INFINITY;
  return prices.flatMap(({ from, weeklyUsd, monthlyUsd }, index) => {
    const at = (field: string, message: string): Fault => ({
      path: [...path, String(index), field],
      message,
    });
    const time = readUtcTime(from);
    const isLater = time !== undefined && time > earlier;
    earlier = time ?? earlier;
    return [
      ...(time === undefined ? [at("from", "must be a time that exists")] : []),
      ...(time === undefined || isLater
        ? []
        : [at("from", "must be later than the one before it")]),
      ...(isExact(weeklyUsd) ? [] : [at("weeklyUsd", "must have at most two decimals")]),
      ...(isExact(monthlyUsd) ? [] : [at("monthlyUsd", "must have at most two decimals")]),
    ];
  });
}

function discountFaults({ discounts }: CatalogueDocument): readonly Fault[] {
  return discounts.flatMap(({ percent }, index) =>
    isExact(percent)
      ? []
      : [
          {
            path: ["discounts", String(index), "percent"],
            message: "must have at most two decimals",
          },
        ],
  );
}

/** Prices are never rounded, so a third decimal is a fault. */
function isExact(decimal: number): boolean {
  return centsFromUsd(decimal) !== undefined;
}

/** NUL and unpaired surrogates cannot be stored, and line breaks do not belong in names. */
const unfit = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Recursion is safe because the schema bounds the depth. */
function unfitTexts(value: unknown, path: readonly string[]): readonly Fault[] {
  if (typeof value === "string") {
    return unfit.test(value) ? [{ path, message: "must not contain control characters" }] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => unfitTexts(part, [...path, key]));
}
