export interface CsvRow {
  /** The line it starts on, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export type ReadCsv =
  | { readonly ok: true; readonly rows: readonly CsvRow[] }
  | { readonly ok: false; readonly line: number; readonly message: string };

const quotedCell = /[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*/y;
const plainCells = { ",": /[^",\r\n]*/y, ";": /[^";\r\n]*/y } as const;
const lineBreak = /\r\n?|\n/;
const rowEnd = /\r\n?|\n|$/y;

type Separator = keyof typeof plainCells;

/**
 * Reads CSV (RFC 4180). Cells are separated by commas, or by semicolons if the first line has only
 * those, as spreadsheets in much of Europe write them. Cells without quotes are trimmed, and empty rows
 * are skipped.
 */
export function readCsv(source: string): ReadCsv {
  const text = source.replace(/^\uFEFF/, "");
  const [firstLine = ""] = text.split(lineBreak, 1);
  const separator = firstLine.includes(",") || !firstLine.includes(";") ? "," : ";";
  const rows: CsvRow[] = [];
  let [at, line] = [0, 1];
  while (at < text.length) {
    const row = readRow(text, at, line, separator);
    if ("message" in row) return { ok: false, line: row.line, message: row.message };
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
    if (inner !== undefined) nextLine += inner.split(lineBreak).length - 1;
    if (text.startsWith(separator, at)) {
      at += separator.length;
      continue;
    }
    const end = matchAt(rowEnd, text, at);
    if (end === undefined) return { line: nextLine, message: strayQuote };
    return { cells, next: at + end[0].length, nextLine: nextLine + 1 };
  }
}

const strayQuote =
  'stray quote. Put the cell in quotes and double the quotes inside it: "a ""b"" c"';

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
