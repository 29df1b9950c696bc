import type { CatalogueDocument } from "./offer-rows.ts";

/** The lists of the catalogue that have forms. Offers are in the price grid. */
export type SectionName = keyof CatalogueDocument;

export type Item = Readonly<Record<string, unknown>>;

export interface ItemField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly kind: "id" | "text" | "whole" | "percent";
}

export interface Section {
  readonly name: SectionName;
  readonly title: string;
  /** One item: "region". */
  readonly noun: string;
  readonly description?: string;
  readonly fields: readonly ItemField[];
  /** What a new item has besides its fields. */
  readonly blank?: Item;
}

const idField = (example: string): ItemField => ({
  name: "id",
  label: "Id",
  hint: `Such as ${example}. It cannot be changed later.`,
  kind: "id",
});

const text = (name: string, label: string, hint?: string): ItemField => ({
  name,
  label,
  ...(hint === undefined ? {} : { hint }),
  kind: "text",
});

export const sections: readonly Section[] = [
  {
    name: "configurations",
    title: "Configurations",
    noun: "configuration",
    description: "A configuration is sold in the regions where it has an offer, under Prices.",
    blank: { offers: [] },
    fields: [
      text("name", "Name"),
      idField("metal-s"),
      text("cpu", "CPU"),
      { name: "memoryGb", label: "Memory (GB)", kind: "whole" },
      text("storage", "Storage"),
      text("bandwidth", "Bandwidth"),
    ],
  },
  {
    name: "regions",
    title: "Regions",
    noun: "region",
    fields: [
      text("name", "Name"),
      idField("fra"),
      text("country", "Country", "Such as DE. Customers see it beside the name."),
    ],
  },
  {
    name: "operatingSystems",
    title: "Operating systems",
    noun: "operating system",
    fields: [text("name", "Name"), idField("debian-13"), text("family", "Family", "Such as linux")],
  },
  {
    name: "discounts",
    title: "Discounts",
    noun: "discount",
    fields: [
      {
        name: "minQuantity",
        label: "Servers from",
        hint: "The discount applies to orders of at least this many servers.",
        kind: "whole",
      },
      { name: "percent", label: "Discount (%)", kind: "percent" },
    ],
  },
];

export function itemsOf(document: CatalogueDocument, name: SectionName): readonly Item[] {
  return document[name] as readonly object[] as readonly Item[];
}

/** The text of a field. The server refuses anything but text and numbers. */
export function fieldText(item: Item | undefined, name: string): string {
  const value = item?.[name];
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Whether a field identifies its item: the id, or the quantity of a discount. */
export function isKey({ name }: ItemField): boolean {
  return name === "id" || name === "minQuantity";
}

export function nameOfItem(item: Item): string {
  return fieldText(item, "id") || fieldText(item, "minQuantity");
}

/** The document with an item replaced, or added at the end. */
export function withItem(
  document: CatalogueDocument,
  name: SectionName,
  index: number,
  item: Item,
): CatalogueDocument {
  const items = [...itemsOf(document, name)];
  items[index] = item;
  return { ...document, [name]: items };
}

/** The document without an item. A region takes its offers with it, because they could not be saved without it. */
export function withoutItem(
  document: CatalogueDocument,
  name: SectionName,
  index: number,
): CatalogueDocument {
  const id = itemsOf(document, name)[index]?.["id"];
  const rest = { ...document, [name]: itemsOf(document, name).filter((_, at) => at !== index) };
  if (name !== "regions") return rest;
  const configurations = document.configurations.map((configuration) => ({
    ...configuration,
    offers: configuration.offers.filter(({ regionId }) => regionId !== id),
  }));
  return { ...rest, configurations };
}

/** The document with an item one place earlier. Customers see the lists in this order. */
export function withItemMovedUp(
  document: CatalogueDocument,
  name: SectionName,
  index: number,
): CatalogueDocument {
  const items = [...itemsOf(document, name)];
  items.splice(index - 1, 0, ...items.splice(index, 1));
  return { ...document, [name]: items };
}

/** What a user typed as a value of the document, or what is wrong with it. The server checks the rest. */
export function readField(
  { kind }: ItemField,
  typed: string,
): { readonly value: unknown } | { readonly problem: string } {
  const trimmed = typed.trim();
  if (trimmed === "") return { problem: "Required." };
  if (kind === "text") return { value: trimmed };
  if (kind === "id") {
    return /^[a-z0-9][a-z0-9._-]*$/.test(trimmed)
      ? { value: trimmed }
      : { problem: "Must be lowercase letters, digits, dots, hyphens or underscores." };
  }
  if (kind === "whole") {
    return /^\d{1,9}$/.test(trimmed)
      ? { value: Number(trimmed) }
      : { problem: "Must be a whole number." };
  }
  return /^\d{1,3}(?:\.\d{1,2})?$/.test(trimmed)
    ? { value: Number(trimmed) }
    : { problem: "Must be a number with at most two decimals." };
}
