import { audit } from "#kernel/audit.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { removeController, setController } from "#kernel/controllers.ts";
import type { Core } from "#kernel/core.ts";
import { refuseDuringRun } from "#kernel/hardware-runs.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import {
  controllerFault,
  controllerRecord,
  sealController,
  type ControllerInput,
} from "./controller-input.ts";
import { findMachine, type MachineRecord } from "./machine-record.ts";

/**
 * Sets or replaces a machine's controller, but not during a run, which would end on another one than it began on. The
 * credential is sealed and never leaves the service again.
 */
export async function setMachineController(
  core: Core,
  call: OperatorCall,
  { machineId, ...input }: ControllerInput & { readonly machineId: string },
): Promise<Result<MachineRecord>> {
  const stored = await sealController(core, machineId, input);
  return core.db.write(async (tx) => {
    if (!(await lockMachine(tx, machineId))) return refuse("not_found");
    const fault = controllerFault(core, input);
    if (fault !== undefined) return refuse("validation_failed", { fields: [fault] });
    const idle = await refuseDuringRun(tx, machineId);
    if (!idle.ok) return idle;
    await setController(tx, machineId, stored);
    const detail = { ...controllerRecord(input) };
    await audit({ tx, core, call }, "machine.set_controller", machineId, detail);
    const record = await findMachine(tx, machineId);
    return record === undefined ? refuse("not_found") : ok(record);
  });
}

/** A machine without a controller stays without one, and that is not audited. */
export async function removeMachineController(
  core: Core,
  call: OperatorCall,
  machineId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    if (!(await lockMachine(tx, machineId))) return refuse("not_found");
    const idle = await refuseDuringRun(tx, machineId);
    if (!idle.ok) return idle;
    if (await removeController(tx, machineId)) {
      await audit({ tx, core, call }, "machine.remove_controller", machineId);
    }
    return ok();
  });
}

async function lockMachine(tx: Tx, machineId: string): Promise<boolean> {
  const row = await tx
    .selectFrom("machines")
    .select("id")
    .where("id", "=", machineId)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
