import type { ReadCatalogueAnswer } from "@ironlease/client";
import type { Style } from "@ironlease/command-line";
import { command } from "#command.ts";
import { amountOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listCatalogue = command({
  words: ["catalogue", "list"],
  summary: "List configurations, prices and locations.",
  description: [
    "Prices are per server and term. Availability changes and nothing is reserved. No sign-in needed.",
  ],
  examples: [{ line: "ironlease catalogue list", meaning: "The whole catalogue." }],
  run: async ({ context }) => {
    const client = await context.anyone();
    return output(await client.readCatalogue(context.calling), (shown, style) =>
      [...hardware(shown, style), ...places(shown, style)].join("\n"),
    );
  },
});

function hardware({ configurations }: ReadCatalogueAnswer, style: Style): readonly string[] {
  const offers = configurations.flatMap(({ offers, ...config }) =>
    offers.map((offer) => ({ ...offer, ...config })),
  );
  return [
    table(
      style,
      [
        { heading: "CONFIG", cell: ({ id }) => id },
        { heading: "CPU", cell: ({ cpu }) => cpu },
        { heading: "MEMORY", cell: ({ memoryGb }) => `${memoryGb} GB`, isRight: true },
        { heading: "STORAGE", cell: ({ storage }) => storage },
        { heading: "BANDWIDTH", cell: ({ bandwidth }) => bandwidth },
      ],
      configurations,
    ),
    "",
    table(
      style,
      [
        { heading: "CONFIG", cell: ({ id }) => id },
        { heading: "REGION", cell: ({ regionId }) => regionId },
        { heading: "USD/WEEK", cell: ({ weeklyUsd }) => amountOf(weeklyUsd), isRight: true },
        { heading: "USD/MONTH", cell: ({ monthlyUsd }) => amountOf(monthlyUsd), isRight: true },
        {
          heading: "AVAILABLE",
          cell: ({ available }) => (available === 0 ? style.dim("none") : String(available)),
          isRight: true,
        },
      ],
      offers,
    ),
    "",
  ];
}

function places(catalogue: ReadCatalogueAnswer, style: Style): readonly string[] {
  const { regions, operatingSystems, discounts } = catalogue;
  return [
    table(
      style,
      [
        { heading: "REGION", cell: ({ id }) => id },
        { heading: "NAME", cell: ({ name, country }) => `${name}, ${country}` },
      ],
      regions,
    ),
    "",
    table(
      style,
      [
        { heading: "OS", cell: ({ id }) => id },
        { heading: "NAME", cell: ({ name }) => name },
      ],
      operatingSystems,
    ),
    ...(discounts.length === 0 ? [] : [""]),
    ...discounts.map(
      ({ minQuantity, percent }) => `${percent} % off for ${minQuantity} servers or more.`,
    ),
  ];
}
