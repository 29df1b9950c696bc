import { CsvError, parse, type InfoRecord } from "csv-parse/browser/esm/sync";

export interface CsvRow {
  /** The line it starts on, counted from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

export type ReadCsv =
  | { readonly kind: "rows"; readonly rows: readonly CsvRow[] }
  | { readonly kind: "stray quote"; readonly line: number };

interface Parsed {
  readonly record: readonly string[];
  readonly info: InfoRecord;
  readonly raw: string;
}

/**
 * Reads CSV (RFC 4180). Cells are separated by commas, or by semicolons if the first line has only
 * those, as spreadsheets in much of Europe write them. Empty rows are skipped.
 */
export function readCsv(text: string): ReadCsv {
  // csv-parse counts "\r\n" inside quotes as two lines.
  const source = text.replaceAll(/\r\n?/g, "\n");
  const [firstLine = ""] = source.split("\n", 1);
  try {
    const parsed: unknown = parse(source, {
      bom: true,
      delimiter: firstLine.includes(";") && !firstLine.includes(",") ? ";" : ",",
      record_delimiter: "\n",
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      info: true,
      raw: true,
    });
    return { kind: "rows", rows: (parsed as readonly Parsed[]).map(rowOf) };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { kind: "stray quote", line: Number(error["lines"]) };
  }
}

/** csv-parse reports the line a record ends on; a quoted cell may contain line breaks. */
function rowOf({ record, info, raw }: Parsed): CsvRow {
  const breaks = raw.trim().split("\n").length - 1;
  return { line: info.lines - breaks, cells: record };
}
