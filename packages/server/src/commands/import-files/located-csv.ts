/** A line of a table, and where it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

export type LocatedCsv =
  | { readonly ok: true; readonly rows: readonly CsvRow[] }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** A cell in quotes, in which a quote is doubled, or one without; then what ends it. */
const quotedCell = /[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*/y;
const plainCells = { ",": /[^",\r\n]*/y, ";": /[^";\r\n]*/y } as const;
const lineEnd = /\r?\n|\r?$/y;

type Separator = keyof typeof plainCells;

/**
 * Reads CSV (RFC 4180) and remembers the lines. Cells stand between commas, or between semicolons when
 * the first line has no comma: spreadsheets of half of Europe write those. White space around a cell
 * without quotes is no part of it; lines with nothing on them are left out.
 */
export function readLocatedCsv(text: string): LocatedCsv {
  const [firstLine = ""] = text.split("\n", 1);
  const separator = firstLine.includes(",") || !firstLine.includes(";") ? "," : ";";
  const rows: CsvRow[] = [];
  let [at, line] = [0, 1];
  while (at < text.length) {
    const row = readRow(text, at, line, separator);
    if ("message" in row) return { ok: false, ...row };
    if (row.cells.some((cell) => cell !== "")) rows.push({ line, cells: row.cells });
    [at, line] = [row.next, row.nextLine];
  }
  return { ok: true, rows };
}

type ReadRow =
  | { readonly cells: readonly string[]; readonly next: number; readonly nextLine: number }
  | { readonly line: number; readonly message: string };

function readRow(text: string, start: number, line: number, separator: Separator): ReadRow {
  const cells: string[] = [];
  let at = start;
  let nextLine = line;
  for (;;) {
    const quoted = matchAt(quotedCell, text, at);
    const plain = quoted === undefined ? matchAt(plainCells[separator], text, at) : undefined;
    const [whole = "", inner] = quoted ?? plain ?? [];
    cells.push(inner === undefined ? whole.trim() : inner.replaceAll('""', '"'));
    at += whole.length;
    nextLine += whole.split("\n").length - 1;
    if (text.startsWith(separator, at)) {
      at += separator.length;
      continue;
    }
    const end = matchAt(lineEnd, text, at);
    if (end === undefined) return { line: nextLine, message: misplaced };
    return { cells, next: at + end[0].length, nextLine: nextLine + (end[0] === "" ? 0 : 1) };
  }
}

const misplaced =
  'a cell with a quote in it must stand in quotes, with that quote doubled: "a ""b"" c"';

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
