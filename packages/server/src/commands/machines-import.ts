import { systemClock } from "../adapters/system/clock.ts";
import { createLog } from "../adapters/system/log.ts";
import { readConfig } from "../config.ts";
import { addMachines } from "../features/machines/add-machines.ts";
import type { MachineRecord } from "../features/machines/machine-record.ts";
import { createCore, openDatabase } from "../main.ts";
import { migrations } from "../migrations/index.ts";
import { readImportFile } from "./import-file.ts";
import { readMachinesFile, type FileProblem, type MachinesFile } from "./machines-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Print = (line: string) => void;

/** As many as somebody mends in one go. */
const maxShownProblems = 50;

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
  if (!source.ok) return refused([source.problem], print);
  const read = readMachinesFile(source.text);
  const added = read.ok ? await add(read, env) : read;
  if (added.ok) {
    const { length } = added.machines;
    const count = length === 1 ? "1 machine" : `${length} machines`;
    print(`Added ${count} from ${source.name}: ${countsOf(added.machines)}.`);
    return 0;
  }
  const lines = added.problems
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, text }) => `${source.name}:${line}: ${text}`);
  return refused(lines, print);
}

function refused(problems: readonly string[], print: Print): number {
  for (const problem of problems.slice(0, maxShownProblems)) print(problem);
  const hidden = problems.length - maxShownProblems;
  if (hidden > 0) print(`… and ${hidden} more.`);
  print("Nothing was imported.");
  return 1;
}

type Added =
  | { readonly ok: true; readonly machines: readonly MachineRecord[] }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

async function add(
  { machines, problemAt }: Extract<MachinesFile, { ok: true }>,
  env: Environment,
): Promise<Added> {
  const config = readConfig("preview", env);
  const db = await openDatabase(config, createLog("silent"));
  try {
    await db.migrate(migrations, systemClock.now());
    const added = await addMachines(createCore(config, db), commandLine, machines);
    if (added.ok) return { ok: true, machines: added.value };
    const { code, fields = [] } = added.refusal;
    if (fields.length === 0) throw new Error(`the machines were refused with ${code}`);
    return { ok: false, problems: fields.map(({ field, message }) => problemAt(field, message)) };
  } finally {
    await db.close();
  }
}

function countsOf(machines: readonly MachineRecord[]): string {
  const byState = Map.groupBy(machines, ({ state }) => state);
  return [...byState].map(([state, { length }]) => `${length} ${state}`).join(", ");
}

const commandLine = { actor: "system", ipAddress: "" } as const;
