import { addMachines } from "#features/machines/add-machines.ts";
import type { MachineRecord } from "#features/machines/machine-record.ts";
import { readImportFile, refuseImport, type FileCall } from "#commands/import-files/import-file.ts";
import { readMachinesFile, type FileProblem } from "./machines-file.ts";
import { withDatabase } from "#commands/with-database.ts";
import { systemCall } from "#kernel/call.ts";

/**
 * Adds the machines of a CSV or JSON file, or names the lines that are wrong and adds none. Exit code 1
 * if the file is refused.
 */
export async function importMachines({ args, env, print, data }: FileCall): Promise<number> {
  const source = readImportFile(args.file);
  if (!source.ok) return refuseImport([source.problem], print);
  const read = readMachinesFile(source.text);
  const refuse = (problems: readonly FileProblem[]) =>
    refuseImport(linesOf(source.name, problems), print);
  if (!read.ok) return refuse(read.problems);
  return withDatabase(env, print, "create", async (core) => {
    const added = await addMachines(core, systemCall, read.machines);
    if (!added.ok) {
      const { code, fields = [] } = added.refusal;
      if (fields.length === 0) throw new Error(`The machines were refused: ${code}.`);
      return refuse(fields.map(({ field, message }) => read.problemAt(field, message)));
    }
    print(
      `Added ${counted(added.value.length, "machine")} from ${source.name}: ${countsOf(added.value)}.`,
    );
    const { set, skipped } = read.controllers;
    data({
      added: added.value.map(({ id, assetTag }) => ({ id, assetTag })),
      controllers: { set, skipped },
    });
    if (set > 0) print(`Set ${counted(set, "controller")}.`);
    if (skipped > 0) {
      const skippedOnes = counted(skipped, "controller");
      print(`Skipped ${skippedOnes} without a password: set each at the desk.`);
    }
    return 0;
  });
}

function linesOf(file: string, problems: readonly FileProblem[]): readonly string[] {
  return problems
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, text }) => `${file}:${line}: ${text}`);
}

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function countsOf(machines: readonly MachineRecord[]): string {
  const byState = Map.groupBy(machines, ({ state }) => state);
  return [...byState].map(([state, { length }]) => `${length} ${state}`).join(", ");
}
