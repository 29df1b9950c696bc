import { stripVTControlCharacters } from "node:util";
import type { Style } from "../style.ts";

export interface Column<Row> {
  /** Its name for `--columns` and in CSV, and the row's field unless `value` says otherwise. */
  readonly field: string;
  readonly heading: string;
  /** For people. */
  readonly cell: (row: Row, style: Style) => string;
  /** For programs. */
  readonly value?: (row: Row) => unknown;
  readonly isRight?: true;
  /** Left out of tables, unless it is named. */
  readonly isExtra?: true;
}

/** The rows of a result and their columns. */
export interface List<Row = unknown> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
}

/** What programs read in a column. */
export function valueOf<Row>({ field, value }: Column<Row>, row: Row): unknown {
  return value === undefined ? (row as Readonly<Record<string, unknown>>)[field] : value(row);
}

/** Columns that tables leave out. */
export function extras<Row>(...fields: readonly (keyof Row & string)[]): readonly Column<Row>[] {
  return fields.map((field) => ({
    field,
    heading: field.toUpperCase(),
    cell: (row) => String(row[field] ?? "-"),
    isExtra: true,
  }));
}

/** Aligned columns under their headings. */
export function table<Row>(
  style: Style,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): string {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row, style)));
  const widths = columns.map(({ heading }, index) =>
    Math.max(widthOf(heading), ...cells.map((line) => widthOf(line[index] ?? ""))),
  );
  const lineOf = (line: readonly string[]) =>
    line
      .map((text, index) => {
        const padding = " ".repeat((widths[index] ?? 0) - widthOf(text));
        return columns[index]?.isRight ? padding + text : text + padding;
      })
      .join("  ")
      .trimEnd();
  const headings = columns.map(({ heading }) => (heading === "" ? "" : style.bold(heading)));
  return [headings, ...cells].map(lineOf).join("\n");
}

/** Names and values, one per line. Undefined values are left out. */
export function record(
  style: Style,
  fields: readonly (readonly [string, string | undefined])[],
): string {
  const there = fields.filter(([, value]) => value !== undefined);
  const width = Math.max(...there.map(([name]) => widthOf(name)));
  return there.map(([name, value]) => `${style.bold(name.padEnd(width))}  ${value}`).join("\n");
}

const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** Created on demand: it takes a tenth of the start-up time. */
let segmenter: Intl.Segmenter | undefined;

/** The number of columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  // Most text is ASCII.
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  segmenter ??= new Intl.Segmenter();
  let width = 0;
  for (const { segment } of segmenter.segment(plain)) width += wide.test(segment) ? 2 : 1;
  return width;
}
