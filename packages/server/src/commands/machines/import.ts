import { addMachines } from "../../features/machines/add-machines.ts";
import type { MachineRecord } from "../../features/machines/machine-record.ts";
import { readImportFile, refuseImport } from "../import-files/import-file.ts";
import { readMachinesFile, type FileProblem } from "./machines-file.ts";
import { commandLine, withDatabase, type Environment, type Print } from "../with-database.ts";

/**
 * Adds the machines in a file, CSV or JSON, or says which of its lines are wrong and adds none. `args`
 * is what follows `machines import`. Exit code 1 when the file is refused, 2 when the command line is
 * not understood.
 */
export async function machinesImport(
  args: readonly string[],
  env: Environment,
  print: Print,
): Promise<number> {
  const [file, ...rest] = args;
  if (file === undefined || rest.length > 0) {
    print("Usage: ironleased machines import FILE   (- is the standard input)");
    return 2;
  }
  const source = readImportFile(file);
  if (!source.ok) return refuseImport([source.problem], print);
  const read = readMachinesFile(source.text);
  const refuse = (problems: readonly FileProblem[]) =>
    refuseImport(linesOf(source.name, problems), print);
  if (!read.ok) return refuse(read.problems);
  return withDatabase(env, print, "make", async (core) => {
    const added = await addMachines(core, systemCall, read.machines);
    if (!added.ok) {
      const { code, fields = [] } = added.refusal;
      if (fields.length === 0) throw new Error(`the machines were refused with ${code}`);
      return refuse(fields.map(({ field, message }) => read.problemAt(field, message)));
    }
    const { length } = added.value;
    const count = length === 1 ? "1 machine" : `${length} machines`;
    print(`Added ${count} from ${source.name}: ${countsOf(added.value)}.`);
    return 0;
  });
}

function linesOf(file: string, problems: readonly FileProblem[]): readonly string[] {
  return problems
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, text }) => `${file}:${line}: ${text}`);
}

function countsOf(machines: readonly MachineRecord[]): string {
  const byState = Map.groupBy(machines, ({ state }) => state);
  return [...byState].map(([state, { length }]) => `${length} ${state}`).join(", ");
}
