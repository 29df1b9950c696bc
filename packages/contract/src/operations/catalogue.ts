import { Type } from "typebox";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { catalogueId, count, integerInQuery, text, usd, words } from "../schemas.ts";

export const terms = ["weekly", "monthly"] as const;

export const term = words(terms, { description: "`weekly` is 7 days, `monthly` is 30 days." });

const offer = Type.Object(
  {
    regionId: Type.String(),
    weeklyUsd: usd,
    monthlyUsd: usd,
    available: count("Servers that can be ordered now."),
  },
  { title: "Offer" },
);

const configuration = Type.Object(
  {
    id: text("Use it as `configId` in an order.", "metal-s"),
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
    id: text("Use it as `regionId` in an order.", "fra"),
    name: Type.String({ examples: ["Frankfurt"] }),
    country: Type.String(),
  },
  { title: "Region" },
);

const operatingSystem = Type.Object(
  {
    id: text("Use it as `osId` in an order.", "debian-13"),
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
    description:
      "Configurations, regions and operating systems, with prices and current availability.",
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
    summary: "Get a quote",
    description:
      "The price of an order placed now: at least 0.01 USD after discounts. Reserves nothing.",
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
          discountPercent: Type.Number({ description: "The quantity discount that applies." }),
          totalUsd: usd,
          available: Type.Boolean({ description: "Whether this quantity can be ordered now." }),
        },
        { title: "Quote" },
      ),
    },
    errors: [],
  }),
};
