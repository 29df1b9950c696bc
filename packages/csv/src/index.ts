export { readCsv, type CsvRow } from "./read-csv.ts";
export { csvRow, escapeFormula } from "./write-csv.ts";
export { ledgerCells, ledgerHeader, type LedgerRow } from "./ledger-cells.ts";
export {
  columnOfField,
  countControllers,
  importedMachine,
  type ControllerCounts,
} from "./controller-cells.ts";
export {
  cellsOfMachine,
  exportedMachine,
  importColumns,
  machineHeader,
  machineOfCells,
  requiredColumns,
  type ExportedMachine,
} from "./machine-cells.ts";
