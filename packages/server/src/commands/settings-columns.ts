import type { Column } from "@ironlease/command-line";

export interface SettingDocument {
  readonly name: string;
  readonly value: string | null;
  readonly source: string;
}

export const settingColumns: readonly Column<SettingDocument>[] = [
  { field: "name", heading: "SETTING", cell: ({ name }) => name },
  { field: "value", heading: "VALUE", cell: ({ value }) => value ?? "none" },
  { field: "source", heading: "SOURCE", cell: ({ source }) => source },
];
