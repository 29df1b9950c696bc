import type { AddMachinesRequestMachine } from "@ironlease/client/operator";
import {
  columnOfField,
  countControllers,
  importColumns,
  importedMachine,
  machineOfCells,
  readCsv,
  requiredColumns,
  type ControllerCounts,
} from "@ironlease/csv";

export interface ImportRow {
  /** "line 7" in CSV, "machine 7" in JSON. */
  readonly place: string;
  readonly machine: AddMachinesRequestMachine;
}

export interface ImportRows {
  readonly kind: "rows";
  readonly format: "csv" | "json";
  readonly rows: readonly ImportRow[];
  readonly controllers: ControllerCounts;
  /** Columns that the import does not know and leaves out. */
  readonly unknown: readonly string[];
}

export type ReadImport = ImportRows | { readonly kind: "unreadable"; readonly why: string };

/** Parses machines from CSV or JSON. The service validates them. */
export function readImport(text: string): ReadImport {
  if (text.trim() === "") return rowsOf("csv", []);
  return /^\s*[[{]/.test(text) ? fromJson(text) : fromCsv(text);
}

function rowsOf(
  format: ImportRows["format"],
  found: readonly { readonly place: string; readonly value: unknown }[],
  unknown: readonly string[] = [],
): ImportRows {
  const machines = found.map(({ value }) => importedMachine(value));
  const rows = machines.map(({ machine }, index) => ({
    place: found[index]?.place ?? "",
    machine: machine as AddMachinesRequestMachine,
  }));
  return { kind: "rows", format, rows, controllers: countControllers(machines), unknown };
}

function fromCsv(text: string): ReadImport {
  const csv = readCsv(text);
  if (!csv.ok) return unreadable(`Line ${csv.line}: ${csv.message}`);
  const [head, ...body] = csv.rows;
  const names = head?.cells.map((cell) => columnOf(cell)) ?? [];
  const unknown = head?.cells.filter((_, index) => names[index] === undefined) ?? [];
  const missing = requiredColumns.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    return unreadable(
      `The first line must name the columns assetTag, configId and regionId (the others are optional). Missing: ${missing.join(", ")}.`,
    );
  }
  const found = body.map(({ line, cells }) => ({
    place: `line ${line}`,
    value: machineOfCells(names, cells),
  }));
  return rowsOf("csv", found, unknown);
}

const columnsByPlainName = new Map(importColumns.map((name) => [name.toLowerCase(), name]));

/** `asset_tag`, `Asset tag` and `assetTag` are the same column. */
function columnOf(title: string): string | undefined {
  return columnsByPlainName.get(title.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
}

function fromJson(text: string): ReadImport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return unreadable(`Invalid JSON: ${error instanceof Error ? error.message : ""}`);
  }
  const list = Array.isArray(value) ? (value as unknown[]) : listIn(value);
  if (list === undefined) return unreadable('Expected a list of machines, or {"machines": [...]}.');
  return rowsOf(
    "json",
    list.map((machine, index) => ({ place: `machine ${index + 1}`, value: machine })),
  );
}

function listIn(value: unknown): readonly unknown[] | undefined {
  const list = (value as { machines?: unknown } | null)?.machines;
  return Array.isArray(list) ? list : undefined;
}

function unreadable(why: string): ReadImport {
  return { kind: "unreadable", why };
}

/** Maps an error at `machines.17.configId` to its row, and in CSV to its column. */
export function rowProblem(
  { field, message }: { readonly field: string; readonly message: string },
  { rows, format }: Pick<ImportRows, "rows" | "format">,
): { readonly place: string; readonly text: string } {
  const [, index, name] = /^machines\.(\d+)(?:\.(.+))?$/.exec(field) ?? [];
  const row = index === undefined ? undefined : rows[Number(index)];
  if (row === undefined) return { place: field, text: message };
  if (name === undefined) return { place: row.place, text: message };
  const column = format === "csv" ? columnOfField(name) : name;
  return { place: row.place, text: `${column} ${message}` };
}
