import { cleanText, didYouMean, nearest, UsageError, type Style } from "@ironlease/command-line";
import { fieldOf, type List, type Output } from "./output.ts";
import { table, valueOf, type Column } from "./table.ts";

/** A table for people, of all columns that it usually has or of the named ones. */
export function renderedText(
  output: Output,
  style: Style,
  names: readonly string[] | undefined,
): string {
  if (names === undefined) return output.text(style);
  const { rows, columns } = chosen(output.list, names);
  return table(style, columns, rows);
}

/** A line for each row, or one for a result that is no list. */
export async function renderedCsv(
  { list, json }: Output,
  names: readonly string[] | undefined,
): Promise<string> {
  const { csvText } = await import("@ironlease/command-line/formats");
  if (list === undefined && names === undefined) {
    const fields = leavesOf(json);
    return csvText(
      fields.map(([name]) => name),
      [fields.map(([, value]) => value)],
    ).join("\n");
  }
  const { rows, columns } = chosen(list, names);
  const cells = rows.map((row) => columns.map((column) => valueOf(column, row)));
  return csvText(
    columns.map(({ field }) => field),
    cells,
  ).join("\n");
}

/** The column `id`, or else the first, is what identifies a row. */
export function renderedIds({ list, json }: Output): readonly string[] {
  if (list === undefined) {
    const id = fieldOf(json, "id");
    return typeof id === "string" ? [cleanText(id)] : [];
  }
  const { rows, columns } = list;
  const column = columns.find(({ field }) => field === "id") ?? columns[0];
  if (column === undefined) return [];
  const ids = rows.map((row) => valueOf(column, row)).filter((id) => typeof id === "string");
  return [...new Set(ids)].map(cleanText);
}

function chosen(list: List | undefined, names: readonly string[] | undefined): List {
  const { rows, columns } = list ?? { rows: [], columns: [] };
  return {
    rows,
    columns: names === undefined ? columns : names.map((name) => find(columns, name)),
  };
}

/** A command may have columns that this list of it lacks. */
function find(columns: readonly Column<unknown>[], name: string): Column<unknown> {
  const found = columns.find(({ field }) => field === name);
  if (found !== undefined) return found;
  const known = columns.map(({ field }) => field);
  const near = didYouMean(nearest(name, known));
  throw new UsageError(`This list has no column ${name}. It has ${known.join(", ")}.`, ...near);
}

/** The fields of a document. Nested ones are named by their path. */
function leavesOf(json: unknown, prefix = ""): readonly (readonly [string, unknown])[] {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return [[prefix === "" ? "value" : prefix, json]];
  }
  return Object.entries(json).flatMap(([name, value]) =>
    leavesOf(value, prefix === "" ? name : `${prefix}.${name}`),
  );
}
