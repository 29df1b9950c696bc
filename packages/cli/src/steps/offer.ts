import type { OptionValues, Options } from "@ironlease/command-line";
import { usageFailure } from "#failures/failure.ts";
import { terms } from "#vocabulary.ts";

/** Options that quotes and orders share. */
export const offerOptions = {
  config: {
    value: "ID",
    required: true,
    completes: "configurations",
    meaning: "Configuration, from the catalogue.",
  },
  region: {
    value: "ID",
    required: true,
    completes: "regions",
    meaning: "Region, from the catalogue.",
  },
  os: {
    value: "ID",
    required: true,
    completes: "systems",
    meaning: "Operating system, from the catalogue.",
  },
  term: {
    value: "TERM",
    required: true,
    choices: terms,
    meaning: "Billing term: 7 or 30 days.",
  },
  quantity: { value: "N", fallback: "1", meaning: "Number of servers, 1 to 20." },
} as const satisfies Options;

/** The service checks everything else. */
export function readOffer(options: OptionValues<typeof offerOptions>) {
  const { config, region, os, term, quantity } = options;
  if (!/^\d{1,6}$/.test(quantity)) throw usageFailure("--quantity must be a whole number.");
  return {
    configId: config,
    regionId: region,
    osId: os,
    term,
    quantity: Number(quantity),
  };
}
