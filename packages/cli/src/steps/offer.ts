import type { OptionValues, Options } from "@ironlease/command-line";
import { usageFailure } from "#failures/failure.ts";
import { terms } from "#vocabulary.ts";

const config = {
  value: "ID",
  completes: "configurations",
  meaning: "Configuration, from the catalogue.",
} as const;
const region = {
  value: "ID",
  completes: "regions",
  meaning: "Region, from the catalogue.",
} as const;
const os = {
  value: "ID",
  completes: "systems",
  meaning: "Operating system, from the catalogue.",
} as const;
const term = { value: "TERM", choices: terms, meaning: "Billing term: 7 or 30 days." } as const;
const quantity = {
  value: "N",
  fallback: "1",
  meaning: "Number of servers, 1 to 20.",
} as const;

/** What to order. Without the required ones, the command asks. */
export const offerOptions = { config, region, os, term, quantity } as const satisfies Options;

const required = true;
export const requiredOfferOptions = {
  config: { ...config, required },
  region: { ...region, required },
  os: { ...os, required },
  term: { ...term, required },
  quantity,
} as const satisfies Options;

/** The service checks everything else. */
export function readOffer(options: OptionValues<typeof requiredOfferOptions>) {
  return {
    configId: options.config,
    regionId: options.region,
    osId: options.os,
    term: options.term,
    quantity: readQuantity(options.quantity),
  };
}

export type Offer = ReturnType<typeof readOffer>;

export function readQuantity(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw usageFailure("--quantity must be a whole number.");
  return Number(text);
}
