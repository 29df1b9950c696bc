import { clean, styleFor, table, type Column } from "@ironlease/command-line";
import type { Call } from "./command.ts";

interface Shown<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Instead of a table without rows. */
  readonly none?: string;
}

/** Prints a list: a table for people, and the document or the list for programs. */
export function showList<Row>(
  { print, data }: Pick<Call, "print" | "data">,
  document: object,
  { rows, columns, none }: Shown<Row>,
): void {
  data(document, { rows, columns });
  if (rows.length === 0 && none !== undefined) print(none);
  else print(tableOf(columns, rows));
}

/** A table without colours, as commands print it. */
export function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const shown = columns.filter(({ isExtra }) => !isExtra);
  return table(styleFor({}, {}), shown, clean(rows));
}
