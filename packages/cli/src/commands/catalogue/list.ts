import type { ReadCatalogueAnswer } from "@ironlease/client";
import { type Style, table, type Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { amountOf } from "#output/formats.ts";
import { output, withList } from "#output/output.ts";

type Configuration = ReadCatalogueAnswer["configurations"][number];
/** A configuration at one place. */
type Offer = Omit<Configuration, "offers"> & Configuration["offers"][number];

const configurationColumns: readonly Column<Omit<Configuration, "offers">>[] = [
  { field: "id", heading: "CONFIG", cell: ({ id }) => id },
  { field: "cpu", heading: "CPU", cell: ({ cpu }) => cpu },
  {
    field: "memoryGb",
    heading: "MEMORY",
    cell: ({ memoryGb }) => `${memoryGb} GB`,
    isRight: true,
  },
  { field: "storage", heading: "STORAGE", cell: ({ storage }) => storage },
  { field: "bandwidth", heading: "BANDWIDTH", cell: ({ bandwidth }) => bandwidth },
];

const columns: readonly Column<Offer>[] = [
  ...configurationColumns.map((column) =>
    column.field === "id" ? column : ({ ...column, isExtra: true } as const),
  ),
  { field: "regionId", heading: "REGION", cell: ({ regionId }) => regionId },
  {
    field: "weeklyUsd",
    heading: "USD/WEEK",
    cell: ({ weeklyUsd }) => amountOf(weeklyUsd),
    isRight: true,
  },
  {
    field: "monthlyUsd",
    heading: "USD/MONTH",
    cell: ({ monthlyUsd }) => amountOf(monthlyUsd),
    isRight: true,
  },
  {
    field: "available",
    heading: "AVAILABLE",
    cell: ({ available }, style) => (available === 0 ? style.dim("none") : String(available)),
    isRight: true,
  },
];

export const listCatalogue = command({
  words: ["catalogue", "list"],
  summary: "List configurations, prices and locations.",
  description: [
    "Prices are per server and term. Availability changes and nothing is reserved. No sign-in needed.",
  ],
  columns,
  examples: [{ line: "ironlease catalogue list", meaning: "The whole catalogue." }],
  run: async ({ context }) => {
    const client = await context.anyone();
    const catalogue = await client.readCatalogue(context.calling);
    return withList(
      output(catalogue, (shown, style) => [...hardware(shown, style), ...places(shown, style)]),
      { rows: offersIn(catalogue), columns },
    );
  },
});

function offersIn({ configurations }: ReadCatalogueAnswer): readonly Offer[] {
  return configurations.flatMap(({ offers, ...config }) =>
    offers.map((offer) => ({ ...offer, ...config })),
  );
}

function hardware(catalogue: ReadCatalogueAnswer, style: Style): readonly string[] {
  const shown = columns.filter(({ isExtra }) => !isExtra);
  return [
    table(style, configurationColumns, catalogue.configurations),
    "",
    table(style, shown, offersIn(catalogue)),
    "",
  ];
}

function places(catalogue: ReadCatalogueAnswer, style: Style): readonly string[] {
  const { regions, operatingSystems, discounts } = catalogue;
  return [
    table(
      style,
      [
        { field: "id", heading: "REGION", cell: ({ id }) => id },
        { field: "name", heading: "NAME", cell: ({ name, country }) => `${name}, ${country}` },
      ],
      regions,
    ),
    "",
    table(
      style,
      [
        { field: "id", heading: "OS", cell: ({ id }) => id },
        { field: "name", heading: "NAME", cell: ({ name }) => name },
      ],
      operatingSystems,
    ),
    ...(discounts.length === 0 ? [] : [""]),
    ...discounts.map(
      ({ minQuantity, percent }) => `${percent} % off for ${minQuantity} servers or more.`,
    ),
  ];
}
