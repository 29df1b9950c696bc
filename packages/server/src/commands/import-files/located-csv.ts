export interface CsvRow {
  /** The line on which the row starts. */
  readonly line: number;
  readonly cells: readonly string[];
}

export type LocatedCsv =
  | { readonly ok: true; readonly rows: readonly CsvRow[] }
  | { readonly ok: false; readonly line: number; readonly message: string };

const quotedCell = /[ \t]*"([^"]*(?:""[^"]*)*)"[ \t]*/y;
const plainCells = { ",": /[^",\r\n]*/y, ";": /[^";\r\n]*/y } as const;
const lineEnd = /\r?\n|\r?$/y;

type Separator = keyof typeof plainCells;

/**
 * Parses CSV (RFC 4180) and keeps line numbers. The separator is a comma, or a semicolon if the first
 * line has no comma: spreadsheets in many European locales export semicolons. White space around unquoted
 * cells is removed, and empty lines are skipped.
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
    if (end === undefined) return { line: nextLine, message: misplacedQuote };
    return { cells, next: at + end[0].length, nextLine: nextLine + (end[0] === "" ? 0 : 1) };
  }
}

const misplacedQuote =
  'a cell that contains a quote must be quoted, with the inner quote doubled: "a ""b"" c"';

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
