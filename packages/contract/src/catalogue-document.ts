import { Type, type Static, type TString } from "typebox";
import { limits } from "./limits.ts";
import { maxCents } from "./money.ts";

const id = Type.String({
  minLength: 1,
  maxLength: limits.catalogueId.max,
  pattern: "^[a-z0-9][a-z0-9._\\-]*$",
  message: `must be 1 to ${limits.catalogueId.max} lowercase letters, digits, dots, hyphens or underscores`,
});

const label = Type.String({ minLength: 1, maxLength: 200, message: "must be 1 to 200 characters" });

const price = Type.Number({
  minimum: 0.01,
  maximum: maxCents / 1_000_000,
  message: "must be a price in USD greater than 0, with at most two decimals",
});

const example = (schema: TString, value: string) => Type.String({ ...schema, examples: [value] });

const strict = { additionalProperties: false } as const;

const region = Type.Object(
  { id: example(id, "fra"), name: example(label, "Frankfurt"), country: label },
  { ...strict, title: "Region" },
);

const operatingSystem = Type.Object(
  {
    id: example(id, "debian-13"),
    name: example(label, "Debian 13"),
    family: example(label, "linux"),
  },
  { ...strict, title: "OperatingSystem" },
);

const scheduledPrice = Type.Object(
  {
    from: Type.String({
      pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$`,
      description: "When the price begins, by the clock of the service.",
      message: "must be a time in UTC such as 2027-01-31T00:00:00Z",
      examples: ["2027-01-31T00:00:00.000Z"],
    }),
    weeklyUsd: price,
    monthlyUsd: price,
  },
  { ...strict, title: "ScheduledPrice" },
);

const offer = Type.Object(
  {
    regionId: id,
    weeklyUsd: price,
    monthlyUsd: price,
    hidden: Type.Optional(
      Type.Boolean({
        description:
          "A hidden offer is not sold and customers do not see it. Servers keep running.",
        message: "must be true or false",
      }),
    ),
    scheduledPrices: Type.Optional(
      Type.Array(scheduledPrice, {
        maxItems: limits.scheduledPrices,
        description:
          "Later prices, in the order of their times. The latest that has begun applies.",
        message: `must be a list of up to ${limits.scheduledPrices} prices`,
      }),
    ),
  },
  { ...strict, title: "Offer" },
);

const configuration = Type.Object(
  {
    id: example(id, "metal-s"),
    name: example(label, "Metal S"),
    cpu: label,
    memoryGb: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      message: "must be a whole number of GB",
    }),
    storage: label,
    bandwidth: label,
    offers: Type.Array(offer, { maxItems: 500 }),
  },
  { ...strict, title: "Configuration" },
);

const discount = Type.Object(
  {
    minQuantity: Type.Integer({
      minimum: 2,
      maximum: limits.quantity.max,
      message: `must be a whole number from 2 to ${limits.quantity.max}`,
    }),
    percent: Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      message: "must be greater than 0 and at most 100, with at most two decimals",
    }),
  },
  { ...strict, title: "Discount" },
);

/** The whole catalogue as one document, for `catalogue import` and the operators' editor. */
export const catalogueDocument = Type.Object(
  {
    regions: Type.Array(region, { maxItems: 500 }),
    operatingSystems: Type.Array(operatingSystem, { maxItems: 500 }),
    configurations: Type.Array(configuration, { maxItems: 2_000 }),
    discounts: Type.Array(discount, { maxItems: limits.quantity.max }),
  },
  { ...strict, title: "CatalogueDocument" },
);

export type CatalogueDocument = Static<typeof catalogueDocument>;
