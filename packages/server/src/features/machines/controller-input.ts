import type { FieldError } from "@ironlease/contract";
import { controllerContext, type StoredController } from "#kernel/controllers.ts";
import type { Core } from "#kernel/core.ts";
import { checkControllerAddress } from "#kernel/hardware.ts";
import type { ControllerDriver } from "#ports/controllers.ts";
import type { ControllerRecord } from "./machine-record.ts";

/** A controller as an operator enters it. */
export interface ControllerInput {
  readonly driver: ControllerDriver;
  readonly address: string;
  readonly username: string;
  readonly credential: string;
  readonly certificateSha256?: string | undefined;
}

/** IPMI 2.0 has room for no more. */
const ipmiBytes = { username: 16, credential: 20 } as const;

/** The first field that is wrong. */
export function controllerFault(core: Core, input: ControllerInput): FieldError | undefined {
  const { driver, address, certificateSha256 } = input;
  const checked = checkControllerAddress(core.hardware, driver, address);
  if (!checked.ok) return { field: "address", message: checked.message };
  if (driver === "redfish") {
    // Basic authentication separates the two with a colon.
    const hasColon = input.username.includes(":");
    return hasColon ? { field: "username", message: "cannot contain a colon" } : undefined;
  }
  if (certificateSha256 !== undefined) {
    return {
      field: "certificateSha256",
      message: "must be omitted: it applies to redfish only",
    };
  }
  const field = (["username", "credential"] as const).find(
    (name) => Buffer.byteLength(input[name]) > ipmiBytes[name],
  );
  return field && { field, message: `must be at most ${ipmiBytes[field]} bytes with ipmi` };
}

/** The controller as operators and the audit log see it. */
export function controllerRecord(input: ControllerInput): ControllerRecord {
  const { driver, address, username } = input;
  const certificateSha256 = input.certificateSha256?.replaceAll(":", "").toLowerCase() ?? null;
  return { driver, address, username, certificateSha256 };
}

/** The controller as stored, with the credential sealed for its machine. */
export async function sealController(
  core: Core,
  machineId: string,
  input: ControllerInput,
): Promise<StoredController> {
  const credential = await core.sealing.seal(input.credential, controllerContext(machineId));
  return { ...controllerRecord(input), credential };
}
