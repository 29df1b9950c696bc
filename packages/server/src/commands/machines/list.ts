import { limits } from "@ironlease/contract";
import { listMachines, type MachineFilter } from "#features/machines/list-machines.ts";
import type { MachineRecord } from "#features/machines/machine-record.ts";
import type { Core } from "#kernel/core.ts";
import type { MachineState } from "#ports/schema.ts";
import type { Call } from "#commands/command.ts";
import { showList } from "#commands/show-list.ts";
import { checkDataFolder, withDatabase } from "#commands/with-database.ts";
import { machineColumns, type MachineDocument } from "./columns.ts";

interface ListOptions {
  readonly state: MachineState | undefined;
  readonly configuration: string | undefined;
  readonly region: string | undefined;
}

/** Enough to read. The export has no limit. */
const maxMachines = 1_000;

/** Lists machines, filtered by state, configuration and region. */
export function listMachinesCommand(call: Call<unknown, ListOptions>): Promise<number> {
  const { state, configuration, region } = call.options;
  const filter: MachineFilter = {
    ...(state !== undefined && { state }),
    ...(configuration !== undefined && { configId: configuration }),
    ...(region !== undefined && { regionId: region }),
  };
  return withDatabase(call.env, call.print, checkDataFolder, async (core) => {
    const found = await readMachines(core, filter);
    const machines = found.slice(0, maxMachines).map(documentOf);
    const more = found.length > maxMachines;
    const shown = { rows: machines, columns: machineColumns, none: "No machines found." };
    showList(call, { machines, more }, shown);
    if (more) call.note(`More than ${maxMachines} machines. Filter them, or use machines export.`);
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

function documentOf(machine: MachineRecord): MachineDocument {
  const { id, assetTag, configId, regionId, state, rack, unit, serialNumber } = machine;
  return { id, assetTag, configId, regionId, state, rack, unit, serialNumber };
}
