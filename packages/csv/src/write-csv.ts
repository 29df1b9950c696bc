/** A row of CSV (RFC 4180) without its line end. Quotes only cells that the reader would read differently. */
export function csvRow(cells: readonly string[]): string {
  return cells
    .map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(",");
}

/**
 * Prefixes text that a spreadsheet would run as a formula with an apostrophe. Text that begins with apostrophes before
 * such a character gets one more, so that `unescapeFormula` restores every text.
 */
export function escapeFormula(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

export function unescapeFormula(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
