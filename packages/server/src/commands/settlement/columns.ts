import type { Column } from "@ironlease/command-line";

export type HoldingDocument = Readonly<Record<HoldingField, string>>;

const fields = [
  "network",
  "path",
  "address",
  "asset",
  "units",
  "etherNeeded",
  "unexplainedUnits",
] as const;
type HoldingField = (typeof fields)[number];

export const holdingColumns: readonly Column<HoldingDocument>[] = fields.map((field) => ({
  field,
  heading: field.toUpperCase(),
  cell: (holding) => holding[field],
}));
