import type { AddMachinesRequestMachine } from "@ironlease/client/operator";
import { readCsv } from "./read-csv.ts";

export interface ImportRow {
  /** "line 7" of a CSV file, "machine 7" of a JSON one: where to look for it. */
  readonly place: string;
  readonly machine: AddMachinesRequestMachine;
}

export type ReadImport =
  | { readonly kind: "rows"; readonly rows: readonly ImportRow[] }
  | { readonly kind: "unreadable"; readonly why: string };

const columns = ["assetTag", "configId", "regionId", "state"] as const;
const needed = columns.slice(0, 3);

/**
 * Machines out of a CSV or a JSON text. Only what cannot be read at all is refused here: whether a
 * machine is right is the service's to say, for all of them at once.
 */
export function readImport(text: string): ReadImport {
  if (text.trim() === "") return { kind: "rows", rows: [] };
  return /^\s*[[{]/.test(text) ? fromJson(text) : fromCsv(text);
}

function fromCsv(text: string): ReadImport {
  const csv = readCsv(text);
  if (csv.kind === "stray quote") {
    return unreadable(
      `Line ${csv.line} has a stray quote. Put the cell in quotes and double the quotes inside it: "a ""b"" c".`,
    );
  }
  const [head, ...body] = csv.rows;
  const names = head?.cells.map((cell) => columnOf(cell)) ?? [];
  const missing = needed.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    return unreadable(
      `The first line must name the columns assetTag, configId and regionId, and may name state. It lacks ${missing.join(" and ")}.`,
    );
  }
  return {
    kind: "rows",
    rows: body.map(({ line, cells }) => {
      const fields = names.flatMap((name, index) => {
        const cell = cells[index] ?? "";
        return name === undefined || (name === "state" && cell === "") ? [] : [[name, cell]];
      });
      const machine = Object.fromEntries(fields) as AddMachinesRequestMachine;
      return { place: `line ${line}`, machine };
    }),
  };
}

/** `asset_tag`, `Asset tag` and `assetTag` are one column. */
function columnOf(title: string): (typeof columns)[number] | undefined {
  const plain = title.toLowerCase().replaceAll(/[^a-z]/g, "");
  return columns.find((name) => name.toLowerCase() === plain);
}

function fromJson(text: string): ReadImport {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return unreadable(`That is not JSON: ${error instanceof Error ? error.message : ""}`);
  }
  const list = Array.isArray(value) ? (value as unknown[]) : listIn(value);
  if (list === undefined)
    return unreadable('It must be a list of machines, or {"machines": [...]}.');
  return {
    kind: "rows",
    rows: list.map((machine, index) => ({
      place: `machine ${index + 1}`,
      machine: machine as AddMachinesRequestMachine,
    })),
  };
}

function listIn(value: unknown): readonly unknown[] | undefined {
  const list = (value as { machines?: unknown } | null)?.machines;
  return Array.isArray(list) ? list : undefined;
}

function unreadable(why: string): ReadImport {
  return { kind: "unreadable", why };
}

/** What the service says of `machines.17.configId`, at the row that it is about. */
export function rowFault(
  { field, message }: { readonly field: string; readonly message: string },
  rows: readonly ImportRow[],
): { readonly place: string; readonly text: string } {
  const [, index, name] = /^machines\.(\d+)(?:\.(.+))?$/.exec(field) ?? [];
  const row = index === undefined ? undefined : rows[Number(index)];
  if (row === undefined) return { place: field, text: message };
  return { place: row.place, text: name === undefined ? message : `${name} ${message}` };
}
