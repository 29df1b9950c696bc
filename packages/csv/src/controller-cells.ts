import { unescapeFormula } from "./write-csv.ts";

/** The columns of a machine's controller, with the fields that they set. Exports leave out the password. */
const fields = {
  controllerDriver: "driver",
  controllerAddress: "address",
  controllerUsername: "username",
  controllerPassword: "credential",
  controllerCertificateSha256: "certificateSha256",
} as const;

export const controllerColumns = Object.keys(fields) as readonly (keyof typeof fields)[];

/** The controller for the cells under these column names. Undefined when all of its cells are empty. */
export function controllerOfCells(
  names: readonly (string | undefined)[],
  cells: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const given = controllerColumns.flatMap((column) => {
    const cell = cells[names.indexOf(column)] ?? "";
    return cell === "" ? [] : [[fields[column], unescapeFormula(cell)] as const];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** The column of a field that the service names: `controllerAddress` for `controller.address`. */
export function columnOfField(field: string): string {
  return controllerColumns.find((column) => `controller.${fields[column]}` === field) ?? field;
}

/** A machine as an import sends it. */
export interface ImportedMachine {
  readonly machine: unknown;
  /** What the import does with the machine's controller. */
  readonly controller: "none" | "set" | "skipped";
}

/** Leaves out a controller without a password, as exports have them. Everything else is for the service to check. */
export function importedMachine(value: unknown): ImportedMachine {
  if (!isObject(value) || !("controller" in value)) return { machine: value, controller: "none" };
  const { controller, ...machine } = value;
  if (controller === null) return { machine, controller: "none" };
  if (!isObject(controller)) return { machine: value, controller: "set" };
  if (!("credential" in controller)) return { machine, controller: "skipped" };
  const { certificateSha256, ...others } = controller;
  // An export has null for a certificate that is not pinned.
  const pin = (certificateSha256 ?? null) === null ? {} : { certificateSha256 };
  return { machine: { ...machine, controller: { ...others, ...pin } }, controller: "set" };
}

/** How many controllers an import sets, and how many it skips. */
export interface ControllerCounts {
  readonly set: number;
  readonly skipped: number;
}

export function countControllers(machines: readonly ImportedMachine[]): ControllerCounts {
  const count = (kind: keyof ControllerCounts) =>
    machines.filter(({ controller }) => controller === kind).length;
  return { set: count("set"), skipped: count("skipped") };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
