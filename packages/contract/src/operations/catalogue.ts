import { Type } from "typebox";
import { operation } from "../operation.ts";
import { catalogueId, count, text, usd, words } from "../schemas.ts";

export const terms = ["weekly", "monthly"] as const;

export const term = words(terms, { description: "weekly is 7 days, monthly 30 days." });

const offer = Type.Object({
  regionId: Type.String(),
  weeklyUsd: usd,
  monthlyUsd: usd,
  available: count("How many can be ordered now."),
});

const configuration = Type.Object({
  id: text("Goes into an order as `configId`.", "metal-s"),
  name: Type.String(),
  cpu: Type.String(),
  memoryGb: count("Memory in GB."),
  storage: Type.String(),
  bandwidth: Type.String(),
  offers: Type.Array(offer),
});

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
      200: Type.Object({
        configurations: Type.Array(configuration),
        regions: Type.Array(
          Type.Object({ id: Type.String(), name: Type.String(), country: Type.String() }),
        ),
        operatingSystems: Type.Array(
          Type.Object({ id: Type.String(), name: Type.String(), family: Type.String() }),
        ),
        discounts: Type.Array(Type.Object({ minQuantity: Type.Integer(), percent: Type.Number() })),
      }),
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
        quantity: Type.String({
          pattern: "^(?:[1-9]|1[0-9]|20)$",
          message: "must be a whole number from 1 to 20",
        }),
      },
      { additionalProperties: false },
    ),
    answers: {
      200: Type.Object({
        unitUsd: usd,
        discountPercent: Type.Number({ description: "The best quantity discount that applies." }),
        totalUsd: usd,
        available: Type.Boolean({ description: "Whether that many can be had now." }),
      }),
    },
    errors: [],
  }),
};
