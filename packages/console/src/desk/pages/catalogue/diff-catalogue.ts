/** One difference between two documents: where, what was there, and what is to be there. */
export interface Difference {
  /** In names a person knows: `configurations › metal-s › offers › fra › weeklyUsd`. */
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

type Items = ReadonlyMap<string, unknown>;

/** What names an item of a list, so that one put at the front is one more and not all others changed. */
const names = ["id", "regionId", "minQuantity"] as const;

/** What differs, told by what things are called and not by where in the text they stand. */
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

/** The parts of an object, or of a list whose items have distinct names; undefined for all else. */
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
