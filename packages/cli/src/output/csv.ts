/** CSV with quotes only where they are needed. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.map(fieldOf).join(",")).join("\n");
}

function fieldOf(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
