import { canonicalJson, type Json } from "./canonical-json.ts";
import { csvClosing, csvEntry, csvHeadings, csvOpening } from "./statement-csv.ts";
import type { Statement, StatementEntry } from "./statement.ts";

/** A statement without its entries, which are written page by page. */
export type StatementFrame = Omit<Statement, "entries">;

type Entries = AsyncIterable<readonly StatementEntry[]> | Iterable<readonly StatementEntry[]>;

/** The statement as canonical JSON: the members are in the order of their names. */
export async function* jsonStatement(
  frame: StatementFrame,
  pages: Entries,
): AsyncGenerator<string> {
  const { closingBalanceUsd, ...after } = frame;
  yield `{"closingBalanceUsd":${canonicalJson(closingBalanceUsd)},"entries":[`;
  let separator = "";
  for await (const page of pages) {
    let text = "";
    for (const entry of page) {
      text += separator + canonicalJson(entry as unknown as Json);
      separator = ",";
    }
    yield text;
  }
  yield `],${canonicalJson(after as unknown as Json).slice(1)}`;
}

/** The same statement as CSV, for spreadsheets. */
export async function* csvStatement(frame: StatementFrame, pages: Entries): AsyncGenerator<string> {
  yield csvHeadings + csvOpening(frame);
  for await (const page of pages) yield page.map(csvEntry).join("");
  yield csvClosing(frame);
}
