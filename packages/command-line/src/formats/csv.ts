import { csvRow, escapeFormula } from "@ironlease/csv";
import { cleanLines } from "../clean-text.ts";

/** Lines of CSV with a header. No spreadsheet runs a cell as a formula. */
export function csvText(
  header: readonly string[],
  rows: readonly (readonly unknown[])[],
): readonly string[] {
  return [header, ...rows.map((cells) => cells.map(cellOf))].map(csvRow);
}

/** Negative numbers begin like a formula, but are none. */
const number = /^-?\d+(?:\.\d+)?$/;

function cellOf(value: unknown): string {
  const text = cleanLines(plainText(value));
  return number.test(text) ? text : escapeFormula(text);
}

/** A value as one line of text. */
function plainText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return value.join(" ");
  }
  return typeof value === "object"
    ? JSON.stringify(value)
    : `${value as string | number | boolean}`;
}
