import type { AnswerOf, BodyOf, Operations } from "@ironlease/contract";
import { addMachine, addMachines, type MachineInput } from "#features/machines/add-machines.ts";
import { changeMachine } from "#features/machines/change-machine.ts";
import {
  listMachineHistory,
  type MachineHistoryEntry,
} from "#features/machines/list-machine-history.ts";
import { listMachines } from "#features/machines/list-machines.ts";
import type { MachineRecord } from "#features/machines/machine-record.ts";
import { readMachine } from "#features/machines/read-machine.ts";
import {
  removeMachineController,
  setMachineController,
} from "#features/machines/set-controller.ts";
import { isoTime } from "#kernel/iso-time.ts";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type Machines =
  | "listMachines"
  | "addMachines"
  | "readMachine"
  | "listMachineHistory"
  | "changeMachine"
  | "setController"
  | "removeController";

export function machineHandlers(core: Core): Handlers<Machines> {
  return {
    listMachines: async ({ query }) => {
      const machines = await listMachines(core, query);
      return ok({ status: 200, body: { machines: machines.map(machineOnWire) } });
    },
    addMachines: async ({ core, caller, body }): Promise<Result<AddedMachines>> => {
      const wanted = oneOrMany(body);
      if (!wanted.ok) return wanted;
      if ("assetTag" in wanted.value) {
        const added = await addMachine(core, caller, wanted.value);
        return added.ok ? ok({ status: 201, body: machineOnWire(added.value) }) : added;
      }
      const added = await addMachines(core, caller, wanted.value.machines);
      return added.ok
        ? ok({ status: 201, body: { machines: added.value.map(machineOnWire) } })
        : added;
    },
    readMachine: async ({ parameters }) => {
      const machine = await readMachine(core, parameters.id);
      if (machine === undefined) return refuse("not_found");
      const { createdAt, server, ...record } = machine;
      const body = { ...machineOnWire(record), createdAt: isoTime(createdAt), server };
      return ok({ status: 200, body });
    },
    listMachineHistory: async ({ parameters, query }) => {
      const entries = await listMachineHistory(core, parameters.id, query.after);
      if (entries === undefined) return refuse("not_found");
      return ok({ status: 200, body: { history: entries.map(entryOnWire) } });
    },
    changeMachine: async ({ core, caller, parameters, body }) => {
      const result = await changeMachine(core, caller, { ...body, machineId: parameters.id });
      return result.ok ? ok({ status: 200, body: machineOnWire(result.value) }) : result;
    },
    setController: async ({ core, caller, parameters, body }) => {
      const input = { ...body, machineId: parameters.id };
      const result = await setMachineController(core, caller, input);
      return result.ok ? ok({ status: 200, body: machineOnWire(result.value) }) : result;
    },
    removeController: async ({ core, caller, parameters }) => {
      const result = await removeMachineController(core, caller, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}

type Machine = AnswerOf<Operations["changeMachine"]>["body"];

export function machineOnWire({ power, macAddresses, ...machine }: MachineRecord): Machine {
  return {
    ...machine,
    macAddresses: [...macAddresses],
    power: power && { state: power.state, at: isoTime(power.at) },
  };
}

type HistoryAnswer = AnswerOf<Operations["listMachineHistory"]>["body"];

function entryOnWire(entry: MachineHistoryEntry): HistoryAnswer["history"][number] {
  const { at, endedAt } = entry;
  return { ...entry, at: isoTime(at), endedAt: endedAt === null ? null : isoTime(endedAt) };
}

type AddedMachines = AnswerOf<Operations["addMachines"]>;
type Wanted = MachineInput | { readonly machines: readonly MachineInput[] };

/** The body is one machine or a list. Both or neither is refused, because the intent is unclear. */
function oneOrMany(body: BodyOf<Operations["addMachines"]>): Result<Wanted> {
  const { machines, ...fields } = body;
  if (machines !== undefined) {
    const others = Object.keys(fields);
    if (others.length === 0) return ok({ machines });
    return refuse("validation_failed", {
      fields: others.map((field) => ({ field, message: "cannot be combined with `machines`" })),
    });
  }
  const { assetTag, configId, regionId } = fields;
  if (assetTag !== undefined && configId !== undefined && regionId !== undefined) {
    return ok({ ...fields, assetTag, configId, regionId });
  }
  const missing = Object.entries({ assetTag, configId, regionId }).filter(
    ([, value]) => value === undefined,
  );
  return refuse("validation_failed", {
    fields: missing.map(([field]) => ({
      field,
      message: "is required unless `machines` is given",
    })),
  });
}
