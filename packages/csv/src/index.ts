export { readCsv, type CsvRow } from "./read-csv.ts";
export { csvRow, escapeFormula } from "./write-csv.ts";
export {
  cellsOfMachine,
  exportedMachine,
  isSkippedColumn,
  machineColumns,
  machineHeader,
  machineOfCells,
  requiredColumns,
  type ExportedMachine,
} from "./machine-cells.ts";
