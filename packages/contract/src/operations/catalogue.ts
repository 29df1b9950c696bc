import { Type } from "typebox";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { catalogueId, count, integerInQuery, text, usd, words } from "../schemas.ts";

export const terms = ["weekly", "monthly"] as const;

export const term = words(terms, { description: "weekly is 7 days, monthly 30 days." });

const offer = Type.Object(
  {
    regionId: Type.String(),
    weeklyUsd: usd,
    monthlyUsd: usd,
    available: count("How many can be ordered now."),
  },
  { title: "Offer" },
);

const configuration = Type.Object(
  {
    id: text("Goes into an order as `configId`.", "metal-s"),
    name: Type.String({ examples: ["Metal S"] }),
    cpu: Type.String(),
    memoryGb: count("Memory in GB."),
    storage: Type.String(),
    bandwidth: Type.String(),
    offers: Type.Array(offer),
  },
  { title: "Configuration" },
);

const region = Type.Object(
  {
    id: text("Goes into an order as `regionId`.", "fra"),
    name: Type.String({ examples: ["Frankfurt"] }),
    country: Type.String(),
  },
  { title: "Region" },
);

const operatingSystem = Type.Object(
  {
    id: text("Goes into an order as `osId`.", "debian-13"),
    name: Type.String({ examples: ["Debian 13"] }),
    family: Type.String({ examples: ["linux"] }),
  },
  { title: "OperatingSystem" },
);

const discount = Type.Object(
  { minQuantity: Type.Integer(), percent: Type.Number() },
  { title: "Discount" },
);

const ofCatalogue = {
  listener: "account",
  tag: "Catalogue",
  idempotency: "none",
  extension: true,
  access: { kind: "public" },
} as const;

export const catalogue = {
  readCatalogue: operation({
    ...ofCatalogue,
    method: "GET",
    path: "/api/v1/catalogue",
    summary: "Read the catalogue",
    description: "What can be rented where, at which price, and how much of it is free now.",
    answers: {
      200: Type.Object(
        {
          configurations: Type.Array(configuration),
          regions: Type.Array(region),
          operatingSystems: Type.Array(operatingSystem),
          discounts: Type.Array(discount),
        },
        { title: "Catalogue" },
      ),
    },
    errors: [],
  }),
  readQuote: operation({
    ...ofCatalogue,
    method: "GET",
    path: "/api/v1/quote",
    summary: "Ask for a price",
    description:
      "What the service would charge now: at least 0.01 USD, whatever the discount. Nothing is reserved.",
    query: Type.Object(
      {
        configId: catalogueId("configuration"),
        regionId: catalogueId("region"),
        osId: catalogueId("operating system"),
        term,
        quantity: integerInQuery(limits.quantity),
      },
      { additionalProperties: false },
    ),
    answers: {
      200: Type.Object(
        {
          unitUsd: usd,
          discountPercent: Type.Number({ description: "The best quantity discount that applies." }),
          totalUsd: usd,
          available: Type.Boolean({ description: "Whether that many can be had now." }),
        },
        { title: "Quote" },
      ),
    },
    errors: [],
  }),
};
