import { controllerColumns, controllerOfCells } from "./controller-cells.ts";
import { csvRow, escapeFormula, unescapeFormula } from "./write-csv.ts";

/** The columns that make a machine, in the order of an export. The first three are required. */
const machineColumns = [
  "assetTag",
  "configId",
  "regionId",
  "state",
  "rack",
  "unit",
  "serialNumber",
  "macAddresses",
  "switchPort",
  "notes",
  "keepOutReason",
] as const;

export const requiredColumns = machineColumns.slice(0, 3);

/** The columns that an import reads. */
export const importColumns: readonly string[] = [...machineColumns, ...controllerColumns];

/** A machine as exports contain it. Without its id and its password, so that another service can import it. */
export interface ExportedMachine {
  readonly assetTag: string;
  readonly configId: string;
  readonly regionId: string;
  readonly state: string;
  readonly rack: string | null;
  readonly unit: number | null;
  readonly serialNumber: string | null;
  readonly macAddresses: readonly string[];
  readonly switchPort: string | null;
  readonly notes: string | null;
  readonly keepOutReason: string | null;
  readonly controller: {
    readonly driver: string;
    readonly address: string;
    readonly username: string;
    readonly certificateSha256: string | null;
  } | null;
}

/** Exactly the exported fields of a record, which has more. */
export function exportedMachine(machine: ExportedMachine): ExportedMachine {
  const { assetTag, configId, regionId, state, rack, unit, serialNumber, macAddresses } = machine;
  const { switchPort, notes, keepOutReason, controller } = machine;
  const place = { rack, unit, serialNumber, macAddresses, switchPort };
  return { assetTag, configId, regionId, state, ...place, notes, keepOutReason, controller };
}

/** The first line of an export. */
export const machineHeader = csvRow(
  importColumns.filter((column) => column !== "controllerPassword"),
);

/** One line of an export, under `machineHeader`. */
export function cellsOfMachine(machine: ExportedMachine): string {
  const { macAddresses, controller } = machine;
  const { driver, address, username, certificateSha256 } = controller ?? {};
  const texts = machineColumns.map((name) => {
    if (name === "macAddresses") return macAddresses.join(" ");
    return escapeFormula(String(machine[name] ?? ""));
  });
  const ofController = [driver, address, username, certificateSha256];
  return csvRow([...texts, ...ofController.map((text) => escapeFormula(text ?? ""))]);
}

/**
 * The fields of a machine for the cells under these column names. An empty cell is an absent field, unless the field is
 * required. Whether the values are right is for the service to check.
 */
export function machineOfCells(
  names: readonly (string | undefined)[],
  cells: readonly string[],
): Readonly<Record<string, unknown>> {
  const fields = names.flatMap((name, index) => {
    const column = machineColumns.find((known) => known === name);
    const cell = cells[index] ?? "";
    if (column === undefined || (cell === "" && !requiredColumns.includes(column))) return [];
    return [[column, valueOf(column, unescapeFormula(cell))] as const];
  });
  const controller = controllerOfCells(names, cells);
  return { ...Object.fromEntries(fields), ...(controller && { controller }) };
}

function valueOf(column: (typeof machineColumns)[number], text: string): unknown {
  if (column === "unit") return /^\d{1,9}$/.test(text) ? Number(text) : text;
  if (column === "macAddresses") return text.split(/[\s,;]+/).filter((mac) => mac !== "");
  return text;
}
