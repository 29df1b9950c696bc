export interface CsvRow {
  /** Where it begins in the text, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Comma-separated values as RFC 4180 has them: quotes may hold commas, line breaks and doubled quotes.
 * Semicolons part cells where the first line has them and no comma, as some spreadsheets write it.
 */
export function readCsv(text: string): readonly CsvRow[] {
  const firstLine = text.slice(0, text.search(/[\r\n]|$/));
  const separator = firstLine.includes(";") && !firstLine.includes(",") ? ";" : ",";
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  /** Kept along: trimming the cell at each of its quotes would cost the square of its length. */
  let isBlank = true;
  let line = 1;
  let startLine = 1;
  const append = (letter: string) => {
    cell += letter;
    isBlank &&= letter.trim() === "";
  };
  const endCell = () => {
    cells.push(cell.trim());
    cell = "";
    isBlank = true;
  };
  const endRow = () => {
    endCell();
    // A line with nothing on it is no row.
    if (cells.some((one) => one !== "")) rows.push({ line: startLine, cells });
    cells = [];
  };
  const source = text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  for (let at = 0; at < source.length; at += 1) {
    const letter = source[at] ?? "";
    if (letter === "\n") line += 1;
    if (isQuoted) {
      if (letter !== '"') append(letter);
      else if (source[at + 1] === '"') {
        append('"');
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && isBlank) {
      cell = "";
      isQuoted = true;
    } else if (letter === separator) endCell();
    else if (letter === "\n") {
      endRow();
      startLine = line;
    } else append(letter);
  }
  endRow();
  return rows;
}
