import type { Configuration, ReadCatalogueAnswer } from "@ironlease/client";
import type { OptionValues } from "@ironlease/command-line";
import type { Choice } from "@ironlease/command-line/prompts";
import type { Context } from "#context.ts";
import { usageFailure } from "#failures/failure.ts";
import { usdOf } from "#output/formats.ts";
import { readOffer, type Offer, type offerOptions } from "./offer.ts";

type Given = OptionValues<typeof offerOptions>;

/** What is missing for an order, as options. */
export function missingOptions({ config, region, os, term }: Given): readonly string[] {
  return Object.entries({ config, region, os, term }).flatMap(([name, value]) =>
    value === undefined ? [`--${name}`] : [],
  );
}

/** Completes what was given by asking on the terminal. */
export async function chooseOffer(context: Context, given: Given): Promise<Offer> {
  const missing = missingOptions(given);
  if (missing.length > 0 && !context.prompter.isPossible) {
    throw usageFailure(
      `${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} required without a terminal to ask on.`,
      "ironlease order create --help",
    );
  }
  const { config, region, os, term, quantity } = given;
  if (config !== undefined && region !== undefined && os !== undefined && term !== undefined) {
    return readOffer({ config, region, os, term, quantity });
  }
  const catalogue = await (await context.anyone()).readCatalogue(context.calling);
  const inRegion = region ?? (await chooseRegion(context, catalogue, config));
  const chosen = config ?? (await chooseConfiguration(context, catalogue, inRegion));
  return readOffer({
    region: inRegion,
    config: chosen,
    os: os ?? (await chooseSystem(context, catalogue)),
    term: term ?? (await chooseTerm(context, catalogue, chosen, inRegion)),
    quantity,
  });
}

function chooseRegion(
  context: Context,
  { regions, configurations }: ReadCatalogueAnswer,
  config: string | undefined,
): Promise<string> {
  const wanted = configurations.filter(({ id }) => config === undefined || id === config);
  return choose(
    context,
    "Region:",
    regions.map(({ id, name, country }) => ({
      value: id,
      name: `${id}  ${name}, ${country}`,
      isDisabled: !wanted.some((configuration) => available(configuration, id) > 0),
    })),
    `No region has ${config ?? "a machine"} available now.`,
  );
}

function chooseConfiguration(
  context: Context,
  { configurations }: ReadCatalogueAnswer,
  region: string,
): Promise<string> {
  return choose(
    context,
    "Configuration:",
    configurations.flatMap((configuration) => {
      const { id, cpu, memoryGb, storage } = configuration;
      const offer = offerIn(configuration, region);
      if (offer === undefined) return [];
      const price = `${usdOf(offer.monthlyUsd)} monthly`;
      const name = `${id}  ${cpu}, ${memoryGb} GB, ${storage}, ${price}`;
      return [{ value: id, name, isDisabled: offer.available === 0 }];
    }),
    `No configuration is available in ${region} now.`,
  );
}

function chooseSystem(
  context: Context,
  { operatingSystems }: ReadCatalogueAnswer,
): Promise<string> {
  const systems = operatingSystems.map(({ id, name }) => ({ value: id, name: `${id}  ${name}` }));
  return choose(context, "Operating system:", systems);
}

function chooseTerm(
  context: Context,
  { configurations }: ReadCatalogueAnswer,
  config: string,
  region: string,
): Promise<Offer["term"]> {
  const configuration = configurations.find(({ id }) => id === config);
  const offer = configuration && offerIn(configuration, region);
  const price = (usd: number | undefined) =>
    usd === undefined ? "" : `, ${usdOf(usd)} per server`;
  return choose(context, "Term:", [
    { value: "monthly", name: `monthly  30 days${price(offer?.monthlyUsd)}` },
    { value: "weekly", name: `weekly  7 days${price(offer?.weeklyUsd)}` },
  ]);
}

function offerIn({ offers }: Configuration, region: string) {
  return offers.find(({ regionId }) => regionId === region);
}

function available(configuration: Configuration, region: string): number {
  return offerIn(configuration, region)?.available ?? 0;
}

/** The prompt cannot show a list without a choice. */
async function choose<Value>(
  { prompter }: Context,
  question: string,
  choices: readonly Choice<Value>[],
  nothing = "Nothing is available now.",
): Promise<Value> {
  if (choices.every(({ isDisabled }) => isDisabled)) {
    throw usageFailure(nothing, "ironlease catalogue list");
  }
  return prompter.choose(question, choices);
}
