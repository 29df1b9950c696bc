import type { FieldError } from "@ironlease/client";
import type { CatalogueDocument } from "./offer-rows.ts";
import { itemsOf, nameOfItem, sections, type Item } from "./sections.ts";

/** What the server refused: each field by its path, such as `regions.0.country`. */
export interface Refused {
  readonly document: unknown;
  readonly fields: readonly FieldError[];
}

/** The messages by path. A field that has changed since it was refused has none. */
export type Problems = ReadonlyMap<string, string>;

export function problemsIn(refused: Refused | undefined, document: unknown): Problems {
  const current = (refused?.fields ?? []).filter(
    ({ field }) =>
      JSON.stringify(valueAt(refused?.document, field)) ===
      JSON.stringify(valueAt(document, field)),
  );
  return new Map(current.map(({ field, message }) => [field, message]));
}

export function countProblems(problems: Problems, path: string): number {
  return [...problems.keys()].filter((field) => field === path || field.startsWith(`${path}.`))
    .length;
}

/** Where a field is edited with a form. Undefined: only in the JSON. */
export interface Place {
  /** Its tab on the page. */
  readonly tab: string;
  readonly index: number;
  /** For people: `Regions › fra › Country`. */
  readonly label: string;
}

export function placeOf(document: CatalogueDocument, path: string): Place | undefined {
  const [list, at, name, offerAt, offerField] = path.split(".");
  const section = sections.find((one) => one.name === list);
  const index = Number(at);
  const item = section && itemsOf(document, section.name)[index];
  if (section === undefined || item === undefined) return undefined;
  const own = nameOfItem(item);
  if (name === "offers") {
    const offer = document.configurations[index]?.offers[Number(offerAt)];
    const price = { weeklyUsd: "Weekly USD", monthlyUsd: "Monthly USD", regionId: "Region" };
    const label = price[offerField as keyof typeof price] ?? "Scheduled prices";
    return (
      offer && { tab: "prices", index, label: `Prices › ${own} › ${offer.regionId} › ${label}` }
    );
  }
  const field = section.fields.find((one) => one.name === name);
  return field && { tab: section.name, index, label: `${section.title} › ${own} › ${field.label}` };
}

function valueAt(document: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, key) => (value as Item | null | undefined)?.[key], document);
}
