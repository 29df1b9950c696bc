import { audit } from "#kernel/audit.ts";
import type { Call, Step } from "#kernel/call.ts";
import { currentCatalogue } from "#kernel/catalogue.ts";
import type { Core } from "#kernel/core.ts";
import { addMachines as addToInventory, type NewMachine } from "#kernel/machine-intake.ts";
import { normaliseMac, takenMeanwhile } from "#kernel/machine-identity.ts";
import type { Refusal, Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { changedFields, emptyFields } from "./changed-fields.ts";
import { checkOffers } from "./check-offers.ts";
import type { MachineRecord } from "./machine-record.ts";

/**
 * Adds all of the machines or none. A fault names its position in the list, as in `machines.17.configId`. A machine
 * whose region does not offer its configuration could never be sold, so it is refused. If the catalogue drops the
 * offer later, the machines stay.
 */
export async function addMachines(
  core: Core,
  call: Call,
  machines: readonly NewMachine[],
): Promise<Result<readonly MachineRecord[]>> {
  return core.db.write(async (tx) => {
    const { document } = await currentCatalogue(tx, core);
    const faults = checkOffers(document, machines);
    if (faults.length > 0) return refuse("validation_failed", { fields: faults });

    const ids = await addToInventory({ tx, core }, machines);
    if (!ids.ok) return ids;
    const records = machines.map((machine, index) => recordOf(machine, ids.value[index] ?? ""));
    await record({ tx, core, call }, records);
    return ok(records);
  }, takenMeanwhile);
}

function recordOf(machine: NewMachine, id: string): MachineRecord {
  const { assetTag, configId, regionId, state = "FREE" } = machine;
  return {
    id,
    assetTag,
    configId,
    regionId,
    state,
    rack: machine.rack ?? null,
    unit: machine.unit ?? null,
    serialNumber: machine.serialNumber ?? null,
    macAddresses: machine.macAddresses?.map(normaliseMac) ?? [],
    switchPort: machine.switchPort ?? null,
    notes: machine.notes ?? null,
    keepOutReason: machine.keepOutReason ?? null,
    controller: null,
    power: null,
  };
}

/** Adds one machine. Faults name the fields as they were sent. */
export async function addMachine(
  core: Core,
  call: Call,
  machine: NewMachine,
): Promise<Result<MachineRecord>> {
  const added = await addMachines(core, call, [machine]);
  if (!added.ok) return { ok: false, refusal: withOwnFields(added.refusal) };
  const [machineRecord] = added.value;
  if (machineRecord === undefined) throw new Error("adding one machine returned no record");
  return ok(machineRecord);
}

function withOwnFields({ fields, ...refusal }: Refusal): Refusal {
  if (fields === undefined) return refusal;
  const own = fields.map(({ field, message }) => ({
    field: field.replace(/^machines\.0\./, ""),
    message,
  }));
  return { ...refusal, fields: own };
}

/** A list gets a single entry, because thousands of entries would bury all others of that day. */
async function record(step: Step, machines: readonly MachineRecord[]): Promise<void> {
  const [first, ...others] = machines;
  if (first === undefined) return;
  if (others.length === 0) {
    const { id, assetTag, configId, regionId, state, keepOutReason } = first;
    const fields = {
      ...changedFields(first, emptyFields),
      ...(keepOutReason !== null && { keepOutReason }),
    };
    await audit(step, "machine.add", id, { assetTag, configId, regionId, state, ...fields });
    return;
  }
  const lastId = others.at(-1)?.id ?? "";
  const detail = { count: machines.length, firstId: first.id, lastId };
  await audit(step, "machine.import", "machines", detail);
}
