import { cellsOfMachine, exportedMachine, machineHeader } from "@ironlease/csv";
import { listMachines } from "#features/machines/list-machines.ts";
import type { MachineRecord } from "#features/machines/machine-record.ts";
import type { Core } from "#kernel/core.ts";
import type { Call, Print } from "#commands/command.ts";
import { addOperatorFirst, withDatabase } from "#commands/with-database.ts";

type ExportCall = Call<unknown, { readonly format: "csv" | "json" }>;

/** Prints every machine, one page in memory at a time. */
export function exportMachines({ env, options, print }: ExportCall): Promise<number> {
  return withDatabase(env, print, addOperatorFirst, async (core) => {
    await (options.format === "csv" ? printCsv(core, print) : printJson(core, print));
    return 0;
  });
}

async function printCsv(core: Core, print: Print): Promise<void> {
  print(machineHeader);
  for await (const machine of allMachines(core)) print(cellsOfMachine(machine));
}

/** One machine per line, each line followed by the comma that the next one needs. */
async function printJson(core: Core, print: Print): Promise<void> {
  print('{"machines": [');
  let line = "";
  for await (const machine of allMachines(core)) {
    if (line !== "") print(`${line},`);
    line = JSON.stringify(exportedMachine(machine));
  }
  if (line !== "") print(line);
  print("]}");
}

async function* allMachines(core: Core): AsyncGenerator<MachineRecord> {
  for (let after = ""; ;) {
    const page = await listMachines(core, { after });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
