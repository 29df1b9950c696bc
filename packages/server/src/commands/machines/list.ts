import { limits } from "@ironlease/contract";
import { listMachines, type MachineFilter } from "#features/machines/list-machines.ts";
import type { MachineRecord } from "#features/machines/machine-record.ts";
import type { Core } from "#kernel/core.ts";
import type { MachineState } from "#ports/schema.ts";
import { aligned } from "#commands/aligned.ts";
import type { Call } from "#commands/command.ts";
import { checkDataFolder, withDatabase } from "#commands/with-database.ts";

interface ListOptions {
  readonly state: MachineState | undefined;
  readonly configuration: string | undefined;
  readonly region: string | undefined;
}

/** Enough to read. The export has no limit. */
const maxMachines = 1_000;

const headings = ["ID", "ASSET TAG", "CONFIGURATION", "REGION", "STATE", "RACK", "UNIT"];

/** Lists machines, filtered by state, configuration and region. */
export function listMachinesCommand({
  options,
  env,
  print,
  data,
}: Call<unknown, ListOptions>): Promise<number> {
  const { state, configuration, region } = options;
  const filter: MachineFilter = {
    ...(state !== undefined && { state }),
    ...(configuration !== undefined && { configId: configuration }),
    ...(region !== undefined && { regionId: region }),
  };
  return withDatabase(env, print, checkDataFolder, async (core) => {
    const found = await readMachines(core, filter);
    const machines = found.slice(0, maxMachines);
    const more = found.length > maxMachines;
    data({ machines: machines.map(documentOf), more });
    if (machines.length === 0) print("No machines found.");
    else for (const line of aligned([headings, ...machines.map(cellsOf)])) print(line);
    if (more) print(`More than ${maxMachines} machines. Filter them, or use machines export.`);
    return 0;
  });
}

/** Pages until the limit is passed. */
async function readMachines(core: Core, filter: MachineFilter): Promise<readonly MachineRecord[]> {
  const machines: MachineRecord[] = [];
  while (machines.length <= maxMachines) {
    const after = machines.at(-1)?.id;
    const page = await listMachines(core, after === undefined ? filter : { ...filter, after });
    machines.push(...page);
    if (page.length < limits.listLength) break;
  }
  return machines;
}

function documentOf(machine: MachineRecord) {
  const { id, assetTag, configId, regionId, state, rack, unit, serialNumber } = machine;
  return { id, assetTag, configId, regionId, state, rack, unit, serialNumber };
}

function cellsOf(machine: MachineRecord): readonly string[] {
  const { id, assetTag, configId, regionId, state, rack, unit } = machine;
  return [id, assetTag, configId, regionId, state, rack ?? "", unit === null ? "" : String(unit)];
}
