import { cleanJson } from "../clean-text.ts";
import type { Style } from "../style.ts";
import { didYouMean, nearest } from "../suggest.ts";
import { UsageError } from "../usage-error.ts";
import type { Format } from "./format-options.ts";
import { table, valueOf, type Column, type List } from "./table.ts";

/** The result of a command, for programs and for people. */
export interface Result {
  readonly json: unknown;
  /** For CSV and `--columns`. */
  readonly list?: List | undefined;
  text(style: Style): string;
}

interface Shape {
  readonly format: Format;
  readonly style: Style;
  /** The columns that were named, or else all. */
  readonly names: readonly string[] | undefined;
}

/** The result in the chosen format. */
export async function rendered(result: Result, { format, style, names }: Shape): Promise<string> {
  switch (format) {
    case "json":
      return cleanJson(result.json, 2);
    case "yaml": {
      const { yamlText } = await import("../formats/index.ts");
      return yamlText(result.json);
    }
    case "csv":
      return renderedCsv(result, names);
    case "table":
      return renderedText(result, style, names);
  }
}

/** A table for people, of all columns that it usually has or of the named ones. */
function renderedText(output: Result, style: Style, names: readonly string[] | undefined): string {
  if (names === undefined) return output.text(style);
  const { rows, columns } = chosen(output.list, names);
  return table(style, columns, rows);
}

/** A line for each row, or one for a result that is no list. */
async function renderedCsv(
  { list, json }: Result,
  names: readonly string[] | undefined,
): Promise<string> {
  const { csvText } = await import("../formats/index.ts");
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
