import { operations } from "@ironlease/contract";
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
import type { MachineInput } from "#features/machines/add-machines.ts";
import { compileSchemaCheck, type Fault } from "#kernel/field-checks.ts";
import { readLocatedJson } from "#kernel/located-json.ts";

/** What is wrong with a file, and on which line. */
export interface FileProblem {
  readonly line: number;
  readonly text: string;
}

export type MachinesFile =
  | {
      readonly ok: true;
      readonly machines: readonly MachineInput[];
      readonly controllers: ControllerCounts;
      /** Finds the line of a field that the service names, such as `machines.17.configId`. */
      readonly problemAt: (field: string, message: string) => FileProblem;
    }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

/** The API checks its list with the same schema. */
const checkMachines = compileSchemaCheck(operations.addMachines.body.properties.machines);

/** Reads machines from JSON if the text begins with a bracket, otherwise from CSV. */
export function readMachinesFile(text: string): MachinesFile {
  return /^\s*[[{]/.test(text) ? readJsonFile(text) : readCsvFile(text);
}

/** A list of machines, or the request body of the API. */
function readJsonFile(text: string): MachinesFile {
  const json = readLocatedJson(text);
  if (!json.ok) return failed(json.line, json.message);
  const isList = Array.isArray(json.value);
  const { machines, ...others } = isList
    ? { machines: json.value as unknown }
    : (json.value as Readonly<Record<string, unknown>>);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    return failed(json.lineOf([unknown]), `${unknown} is not a known field`);
  const problemOf = ({ path, message }: Fault): FileProblem => ({
    line: json.lineOf(isList ? path : ["machines", ...path]),
    text: `${["machines", ...path].join(".")} ${message}`,
  });
  return checked(machines, problemOf);
}

const header = `the first line must name the columns assetTag, configId and regionId. Optional: ${importColumns.slice(requiredColumns.length).join(", ")}`;

function readCsvFile(text: string): MachinesFile {
  const csv = readCsv(text);
  if (!csv.ok) return failed(csv.line, csv.message);
  const [names, ...rows] = csv.rows;
  if (names === undefined) return failed(1, header);
  const isHeader =
    new Set(names.cells).size === names.cells.length &&
    names.cells.every((name) => importColumns.includes(name)) &&
    requiredColumns.every((name) => names.cells.includes(name));
  if (!isHeader) return failed(names.line, header);
  const uneven = rows.filter(({ cells }) => cells.length !== names.cells.length);
  if (uneven.length > 0) {
    const problems = uneven.map(({ line, cells }) => ({
      line,
      text: `expected ${names.cells.length} cells, found ${cells.length}`,
    }));
    return { ok: false, problems };
  }
  const machines = rows.map(({ cells }) => machineOfCells(names.cells, cells));
  const problemOf = ({ path: [index, ...field], message }: Fault): FileProblem => ({
    line: rows[Number(index)]?.line ?? names.line,
    text: `${columnOfField(field.join(".")) || "the table"} ${message}`,
  });
  return checked(machines, problemOf);
}

function checked(value: unknown, problemOf: (fault: Fault) => FileProblem): MachinesFile {
  const list = Array.isArray(value) ? value.map(importedMachine) : [];
  const machines = Array.isArray(value) ? list.map(({ machine }) => machine) : value;
  const faults = checkMachines(machines);
  if (faults.length > 0) return { ok: false, problems: faults.map(problemOf) };
  return {
    ok: true,
    machines: machines as readonly MachineInput[],
    controllers: countControllers(list),
    problemAt: (field, message) => problemOf({ path: field.split(".").slice(1), message }),
  };
}

function failed(line: number, text: string): MachinesFile {
  return { ok: false, problems: [{ line, text }] };
}
