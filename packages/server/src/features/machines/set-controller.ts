import { audit } from "#kernel/audit.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { controllerContext, removeController, setController } from "#kernel/controllers.ts";
import type { Core } from "#kernel/core.ts";
import { checkControllerAddress } from "#kernel/hardware.ts";
import { refuseDuringRun } from "#kernel/hardware-runs.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import type { ControllerDriver } from "#ports/controllers.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { findMachine, type MachineRecord } from "./machine-record.ts";

export interface ControllerInput {
  readonly driver: ControllerDriver;
  readonly address: string;
  readonly username: string;
  readonly credential: string;
  readonly certificateSha256?: string | undefined;
}

/** IPMI 2.0 has room for no more. */
const ipmiBytes = { username: 16, credential: 20 } as const;

/**
 * Sets or replaces a machine's controller, but not during a run, which would end on another one than it began on. The
 * credential is sealed and never leaves the service again.
 */
export async function setMachineController(
  core: Core,
  call: OperatorCall,
  { machineId, ...input }: ControllerInput & { readonly machineId: string },
): Promise<Result<MachineRecord>> {
  const { driver, address, username } = input;
  const certificateSha256 = input.certificateSha256?.replaceAll(":", "").toLowerCase() ?? null;
  const credential = await core.sealing.seal(input.credential, controllerContext(machineId));
  return core.db.write(async (tx) => {
    if (!(await lockMachine(tx, machineId))) return refuse("not_found");
    const checked = checkInput(core, input);
    if (!checked.ok) return checked;
    const idle = await refuseDuringRun(tx, machineId);
    if (!idle.ok) return idle;
    const stored = { driver, address, username, credential, certificateSha256 };
    await setController(tx, machineId, stored);
    const detail = { driver, address, username, certificateSha256 };
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

function checkInput(core: Core, input: ControllerInput): Result<void> {
  const { driver, address, certificateSha256 } = input;
  const checked = checkControllerAddress(core.hardware, driver, address);
  if (!checked.ok) return refuseField("address", checked.message);
  if (driver === "redfish") {
    // Basic authentication separates the two with a colon.
    return input.username.includes(":") ? refuseField("username", "cannot contain a colon") : ok();
  }
  if (certificateSha256 !== undefined) {
    return refuseField("certificateSha256", "must be omitted: it applies to redfish only");
  }
  for (const field of ["username", "credential"] as const) {
    if (Buffer.byteLength(input[field]) > ipmiBytes[field]) {
      return refuseField(field, `must be at most ${ipmiBytes[field]} bytes with ipmi`);
    }
  }
  return ok();
}
