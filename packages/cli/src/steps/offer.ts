import type { OptionValues, Options } from "@ironlease/command-line";
import { usageFailure } from "#failures/failure.ts";
import { terms } from "#vocabulary.ts";

/** What is to be rented, as quotes and orders take it. */
export const offerOptions = {
  config: { value: "ID", required: true, meaning: "The configuration, from the catalogue." },
  region: { value: "ID", required: true, meaning: "The region, from the catalogue." },
  os: { value: "ID", required: true, meaning: "The operating system, from the catalogue." },
  term: {
    ...{ value: "TERM", required: true, choices: terms },
    meaning: "How long one payment lasts: 7 days or 30 days.",
  },
  quantity: { value: "N", fallback: "1", meaning: "How many servers, 1 to 20." },
} as const satisfies Options;

/** The service checks the rest; what is no number cannot even be asked. */
export function readOffer(options: OptionValues<typeof offerOptions>) {
  const { config, region, os, term, quantity } = options;
  if (!/^\d{1,6}$/.test(quantity)) throw usageFailure("--quantity takes a whole number.");
  return {
    ...{ configId: config, regionId: region, osId: os, term },
    quantity: Number(quantity),
  };
}
