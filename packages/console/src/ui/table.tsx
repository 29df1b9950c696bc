import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Aligned to the end of the column. */
  readonly isNumber?: boolean;
  /** The row header. */
  readonly isHeading?: boolean;
  /** User-written text: long words may break anywhere, so that they do not widen the table. */
  readonly isFreeText?: boolean;
  /** An address, hash or id on one line, which is as wide as two columns. */
  readonly isLong?: boolean;
  /** Only screen readers see the title, as over a column of buttons. */
  readonly isTitleHidden?: boolean;
  /**
   * The cell's place in a card of two lines, which replaces the block of titles and values on narrow
   * screens as soon as one column has a place. The heading is at the start of the first line, `corner` at
   * its end. The second line has the details, with `end` last. `select` is before the heading. Columns
   * without a place are left out. A `labelled` detail has its title before it; a table with few columns and
   * such details, or with two columns and buttons, has cards on phones only.
   */
  readonly place?: "select" | "corner" | "detail" | "labelled" | "end";
}

/** This many columns fit side by side in half a page. Numbers are short: two count as one column. */
const maxNarrowColumns = 4;

/** Two texts and their buttons. */
const maxPlainColumns = 2.5;

/** A text and one or two numbers beside it fit everywhere. */
function layoutOf(columns: readonly Column<never>[]): string | undefined {
  const texts = columns.filter(({ isNumber = false }) => !isNumber);
  if (texts.length <= 1 && widthOf(columns) <= 2) return undefined;
  return widthOf(columns) > maxNarrowColumns ? "many-columns" : "few-columns";
}

function cardLayoutOf(columns: readonly Column<never>[]): string {
  const hasLabels = columns.some(({ place }) => place === "labelled");
  const most = hasLabels ? maxNarrowColumns : maxPlainColumns;
  return widthOf(columns) <= most ? "figure-lines" : "two-lines";
}

function widthOf(columns: readonly Column<never>[]): number {
  return columns.reduce((sum, column) => sum + columnWidth(column), 0);
}

function columnWidth({ isNumber = false, isLong = false }: Column<never>): number {
  if (isNumber) return 0.5;
  return isLong ? 2 : 1;
}

/**
 * A table. On narrow screens each row becomes a block with the column title before each value. The
 * roles are explicit because changing `display` removes the implicit ones.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
  isDense = false,
  isSticky = false,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Compact rows, for the desk. */
  readonly isDense?: boolean;
  /** The titles stay in view while a long list scrolls. The table must fit: it does not scroll sideways. */
  readonly isSticky?: boolean;
}) {
  const isCards = columns.some(({ place }) => place !== undefined);
  const layout = isCards ? cardLayoutOf(columns) : layoutOf(columns);
  return (
    <div className={classNames("@container", !isSticky && "overflow-x-auto")}>
      <table
        role="table"
        aria-label={label}
        className={classNames("w-full border-collapse text-sm", layout)}
      >
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ title, isNumber = false, isTitleHidden = false }) => (
              <th
                key={title}
                role="columnheader"
                scope="col"
                className={classNames(
                  "border-b border-line bg-raised px-3 py-2 text-xs font-medium whitespace-nowrap text-quiet first:pl-5 last:pr-5 sm:first:pl-6 sm:last:pr-6",
                  isNumber ? "text-end" : "text-start",
                  // A collapsed border would stay behind.
                  isSticky &&
                    "sticky top-(--shell-top) z-10 border-b-0 shadow-[inset_0_-1px_var(--color-line)]",
                )}
              >
                <span className={isTitleHidden ? "sr-only" : undefined}>{title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((column) => (
                <Cell
                  key={column.title}
                  column={column}
                  row={row}
                  isDense={isDense}
                  isCard={isCards}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Where a row has no value. Cards leave out a cell that has only this. */
export function NoValue({ children = "–" }: { readonly children?: string }) {
  return <span className="no-value text-quiet">{children}</span>;
}

function Cell<Row>({
  column,
  row,
  isDense,
  isCard,
}: {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isDense: boolean;
  readonly isCard: boolean;
}) {
  const { title, cell, isNumber = false, isHeading = false, isTitleHidden = false } = column;
  const { isFreeText = false, place } = column;
  const attributes = {
    "data-label": isTitleHidden ? "" : title,
    "data-place": isHeading ? "heading" : place,
    className: classNames(
      "px-3 align-middle first:pl-5 last:pr-5 sm:first:pl-6 sm:last:pr-6",
      isDense ? "py-1.5" : "py-3",
      isNumber && "figures text-end",
      isHeading && "font-medium",
      isFreeText && "min-w-40 text-pretty wrap-anywhere",
      isHeading && !isNumber && "text-start",
    ),
  };
  // In a block of titles and values, the content is one item of a grid.
  const content = isCard ? cell(row) : <div className="min-w-0">{cell(row)}</div>;
  if (isHeading) {
    return (
      <th role="rowheader" scope="row" {...attributes}>
        {content}
      </th>
    );
  }
  return (
    <td role="cell" {...attributes}>
      {content}
    </td>
  );
}
