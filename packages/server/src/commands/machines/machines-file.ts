import { operations } from "@ironlease/contract";
import {
  isSkippedColumn,
  machineColumns,
  machineOfCells,
  readCsv,
  requiredColumns,
} from "@ironlease/csv";
import type { NewMachine } from "#kernel/machine-intake.ts";
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
      readonly machines: readonly NewMachine[];
      /** How many machines have a controller in the file, which is not imported. */
      readonly controllers: number;
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
  const list = Array.isArray(machines) ? machines.map(withoutController) : [];
  const count = list.filter(({ hasController }) => hasController).length;
  return checked(list.length > 0 ? list.map(({ machine }) => machine) : machines, problemOf, count);
}

/** An export contains controllers, but never their passwords, so they are set at the desk. */
function withoutController(value: unknown): {
  readonly machine: unknown;
  readonly hasController: boolean;
} {
  const isMachine = typeof value === "object" && value !== null && "controller" in value;
  if (!isMachine) return { machine: value, hasController: false };
  const { controller, ...machine } = value;
  return { machine, hasController: controller !== null };
}

const header = `the first line must name the columns assetTag, configId and regionId. Optional: ${machineColumns.slice(requiredColumns.length).join(", ")}`;

function readCsvFile(text: string): MachinesFile {
  const csv = readCsv(text);
  if (!csv.ok) return failed(csv.line, csv.message);
  const [names, ...rows] = csv.rows;
  if (names === undefined) return failed(1, header);
  const isHeader =
    new Set(names.cells).size === names.cells.length &&
    names.cells.every((name) => isColumn(name) || isSkippedColumn(name)) &&
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
  const addresses = names.cells.indexOf("controllerAddress");
  const controllers = rows.filter(({ cells }) => (cells[addresses] ?? "") !== "").length;
  const problemOf = ({ path: [index, ...field], message }: Fault): FileProblem => ({
    line: rows[Number(index)]?.line ?? names.line,
    text: `${field.join(".") || "the table"} ${message}`,
  });
  return checked(machines, problemOf, controllers);
}

function isColumn(name: string): boolean {
  return machineColumns.some((column) => column === name);
}

function checked(
  machines: unknown,
  problemOf: (fault: Fault) => FileProblem,
  controllers: number,
): MachinesFile {
  const faults = checkMachines(machines);
  if (faults.length > 0) return { ok: false, problems: faults.map(problemOf) };
  return {
    ok: true,
    machines: machines as readonly NewMachine[],
    controllers,
    problemAt: (field, message) => problemOf({ path: field.split(".").slice(1), message }),
  };
}

function failed(line: number, text: string): MachinesFile {
  return { ok: false, problems: [{ line, text }] };
}
