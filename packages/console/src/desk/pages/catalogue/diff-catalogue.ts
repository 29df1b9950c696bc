/** One difference between two documents. */
export interface Difference {
  /** By id, not by index: `configurations › metal-s › offers › fra › weeklyUsd`. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Items = ReadonlyMap<string, unknown>;

/** The fields that identify a list item, so that an insertion at the front changes no other item. */
const names = ["id", "regionId", "minQuantity", "from"] as const;

/** Compares list items by id, not by position. */
export function diffCatalogue(before: unknown, after: unknown): readonly Difference[] {
  return diff([], before, after);
}

function diff(path: readonly string[], before: unknown, after: unknown): readonly Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [from, to] = [itemsOf(before), itemsOf(after)];
  if (from === undefined || to === undefined) return [leaf(path, before, after)];
  const all = [...new Set([...from.keys(), ...to.keys()])];
  const found = all.flatMap((key) => diff([...path, key], from.get(key), to.get(key)));
  if (found.length > 0 || !Array.isArray(before)) return found;
  return [leaf([...path, "order"], [...from.keys()].join(", "), [...to.keys()].join(", "))];
}

/** The fields of an object or the items of a list with unique ids; undefined for anything else. */
function itemsOf(value: unknown): Items | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const items = new Map(value.map((item: unknown) => [nameOf(item), item]));
  return items.has("") || items.size !== value.length ? undefined : items;
}

function nameOf(item: unknown): string {
  if (typeof item !== "object" || item === null) return "";
  const fields = item as Readonly<Record<string, unknown>>;
  const name = names.map((field) => fields[field]).find((value) => value !== undefined);
  return typeof name === "string" || typeof name === "number" ? String(name) : "";
}

function leaf(path: readonly string[], before: unknown, after: unknown): Difference {
  return { path: path.join(" › "), before: textOf(before), after: textOf(after) };
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}
