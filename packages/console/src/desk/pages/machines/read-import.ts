import type { AddMachinesRequestMachine } from "@ironlease/client/operator";
import {
  isSkippedColumn,
  machineColumns,
  machineOfCells,
  readCsv,
  requiredColumns,
} from "@ironlease/csv";

export interface ImportRow {
  /** "line 7" in CSV, "machine 7" in JSON. */
  readonly place: string;
  readonly machine: AddMachinesRequestMachine;
}

export type ReadImport =
  | {
      readonly kind: "rows";
      readonly rows: readonly ImportRow[];
      /** Columns that the import does not know and leaves out. */
      readonly unknown: readonly string[];
    }
  | { readonly kind: "unreadable"; readonly why: string };

/** Parses machines from CSV or JSON. The service validates them. */
export function readImport(text: string): ReadImport {
  if (text.trim() === "") return { kind: "rows", rows: [], unknown: [] };
  return /^\s*[[{]/.test(text) ? fromJson(text) : fromCsv(text);
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
  return {
    kind: "rows",
    unknown: unknown.filter((name) => !isSkippedColumn(name)),
    rows: body.map(({ line, cells }) => ({
      place: `line ${line}`,
      machine: machineOfCells(names, cells) as unknown as AddMachinesRequestMachine,
    })),
  };
}

/** `asset_tag`, `Asset tag` and `assetTag` are the same column. */
function columnOf(title: string): (typeof machineColumns)[number] | undefined {
  const plain = title.toLowerCase().replaceAll(/[^a-z]/g, "");
  return machineColumns.find((name) => name.toLowerCase() === plain);
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
  return {
    kind: "rows",
    unknown: [],
    rows: list.map((machine, index) => ({
      place: `machine ${index + 1}`,
      machine: withoutController(machine) as AddMachinesRequestMachine,
    })),
  };
}

/** An export contains controllers without their passwords, which only the controller's form can set. */
function withoutController(machine: unknown): unknown {
  if (typeof machine !== "object" || machine === null || !("controller" in machine)) return machine;
  const { controller: _controller, ...rest } = machine;
  return rest;
}

function listIn(value: unknown): readonly unknown[] | undefined {
  const list = (value as { machines?: unknown } | null)?.machines;
  return Array.isArray(list) ? list : undefined;
}

function unreadable(why: string): ReadImport {
  return { kind: "unreadable", why };
}

/** Maps an error at `machines.17.configId` to its row. */
export function rowProblem(
  { field, message }: { readonly field: string; readonly message: string },
  rows: readonly ImportRow[],
): { readonly place: string; readonly text: string } {
  const [, index, name] = /^machines\.(\d+)(?:\.(.+))?$/.exec(field) ?? [];
  const row = index === undefined ? undefined : rows[Number(index)];
  if (row === undefined) return { place: field, text: message };
  return { place: row.place, text: name === undefined ? message : `${name} ${message}` };
}
