import type { FieldError } from "@ironlease/contract";
import { hasRole } from "#kernel/access/operator.ts";
import { audit } from "#kernel/audit.ts";
import type { ActorCall, OperatorCall, Step } from "#kernel/call.ts";
import { currentCatalogue } from "#kernel/catalogue.ts";
import { insertControllers } from "#kernel/controllers.ts";
import type { Core } from "#kernel/core.ts";
import { addMachines as addToInventory, type NewMachine } from "#kernel/machine-intake.ts";
import { normaliseMac, takenMeanwhile } from "#kernel/machine-identity.ts";
import type { Refusal, Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { changedFields, emptyFields } from "./changed-fields.ts";
import { checkOffers } from "./check-offers.ts";
import {
  controllerFault,
  controllerRecord,
  sealController,
  type ControllerInput,
} from "./controller-input.ts";
import type { MachineRecord } from "./machine-record.ts";

/** A machine with the controller that only an admin, or the command on the server, can give it. */
export interface MachineInput extends NewMachine {
  readonly controller?: ControllerInput | undefined;
}

type Adding = OperatorCall | ActorCall;

const controllersNeedAdmin = "Only an admin can set controllers. Leave them out, or ask an admin.";

/**
 * Adds all of the machines or none. A fault names its position in the list, as in `machines.17.configId`. A machine
 * whose region does not offer its configuration could never be sold, so it is refused. If the catalogue drops the
 * offer later, the machines stay.
 */
export async function addMachines(
  core: Core,
  call: Adding,
  machines: readonly MachineInput[],
): Promise<Result<readonly MachineRecord[]>> {
  const numbered = machines.map((machine) => ({ machine, id: core.ids.next("machine") }));
  const controllers = await sealControllers(core, numbered);
  return core.db.write(async (tx) => {
    if (controllers.length > 0 && "operator" in call && !hasRole(call.operator, "admin")) {
      return refuse("role_forbidden", { message: controllersNeedAdmin });
    }
    const { document } = await currentCatalogue(tx, core);
    const faults = [...checkOffers(document, machines), ...checkControllers(core, machines)];
    if (faults.length > 0) return refuse("validation_failed", { fields: faults });

    const ids = numbered.map(({ id }) => id);
    const added = await addToInventory({ tx, core }, machines, ids);
    if (!added.ok) return added;
    await insertControllers(tx, controllers);
    const records = numbered.map(({ machine, id }) => recordOf(machine, id));
    await record({ tx, core, call }, records);
    return ok(records);
  }, takenMeanwhile);
}

/** Before the transaction, because the first use reads the key file. */
async function sealControllers(
  core: Core,
  numbered: readonly { readonly machine: MachineInput; readonly id: string }[],
) {
  const sealed = numbered.map(async ({ machine: { controller }, id }) =>
    controller === undefined
      ? []
      : [{ machineId: id, ...(await sealController(core, id, controller)) }],
  );
  return (await Promise.all(sealed)).flat();
}

function checkControllers(core: Core, machines: readonly MachineInput[]): readonly FieldError[] {
  return machines.flatMap(({ controller }, index) => {
    const fault = controller && controllerFault(core, controller);
    if (fault === undefined) return [];
    return [{ ...fault, field: `machines.${index}.controller.${fault.field}` }];
  });
}

function recordOf(machine: MachineInput, id: string): MachineRecord {
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
    controller: machine.controller === undefined ? null : controllerRecord(machine.controller),
    power: null,
  };
}

/** Adds one machine. Faults name the fields as they were sent. */
export async function addMachine(
  core: Core,
  call: Adding,
  machine: MachineInput,
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
    const { id, assetTag, configId, regionId, state, keepOutReason, controller } = first;
    const fields = {
      ...changedFields(first, emptyFields),
      ...(keepOutReason !== null && { keepOutReason }),
    };
    await audit(step, "machine.add", id, { assetTag, configId, regionId, state, ...fields });
    if (controller !== null) await audit(step, "machine.set_controller", id, { ...controller });
    return;
  }
  const lastId = others.at(-1)?.id ?? "";
  const controllers = machines.filter(({ controller }) => controller !== null).length;
  const counts = { count: machines.length, ...(controllers > 0 && { controllers }) };
  const detail = { ...counts, firstId: first.id, lastId };
  await audit(step, "machine.import", "machines", detail);
}
