import { cleanText, valueOf } from "@ironlease/command-line";
import { fieldOf, type Output } from "./output.ts";

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
