import { Type } from "typebox";
import { limits } from "./limits.ts";

const printable = "^[!-~](?:[ -~]*[!-~])?$";

const label = (description: string, example: string, { max }: { readonly max: number }) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      minLength: 1,
      maxLength: max,
      pattern: printable,
      description,
      examples: [example],
      message: `must be 1 to ${max} printable ASCII characters without leading or trailing spaces, or null`,
    }),
  );

const { unit, macAddresses, notes } = limits.machineRecord;

/** Where a machine is, what identifies it and why it may not be sold, as requests set them. Null clears a field. */
export const machineRecordFields = {
  rack: label("The rack, under its name in the region.", "R07", limits.machineRecord.rack),
  unit: Type.Optional(
    Type.Unsafe<number | null>({
      type: ["integer", "null"],
      minimum: unit.min,
      maximum: unit.max,
      description: "The lowest unit of the rack that the machine occupies.",
      examples: [12],
      message: `must be a whole number from ${unit.min} to ${unit.max}, or null`,
    }),
  ),
  serialNumber: label(
    "The manufacturer's serial number.",
    "CZJ2040QWX",
    limits.machineRecord.serialNumber,
  ),
  macAddresses: Type.Optional(
    Type.Array(
      Type.String({
        // Six octets, the first without the bit that marks a group address.
        pattern:
          "^(?:[0-9A-Fa-f][02468ACEace](?::[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f][02468ACEace](?:-[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f][02468ACEace][0-9A-Fa-f]{2}(?:\\.[0-9A-Fa-f]{4}){2}|[0-9A-Fa-f][02468ACEace][0-9A-Fa-f]{10})$",
        examples: ["3c:ec:ef:01:a2:07"],
        message: "must be the MAC address of one interface, such as 3c:ec:ef:01:a2:07",
      }),
      {
        maxItems: macAddresses,
        description:
          "In the order of the interfaces. Written with colons, hyphens, dots or nothing; stored in lower case with colons.",
        message: `must be a list of at most ${macAddresses} MAC addresses`,
      },
    ),
  ),
  switchPort: label(
    "The switch and the port that the machine is connected to.",
    "sw-fra1-07 Ethernet1/12",
    limits.machineRecord.switchPort,
  ),
  notes: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      minLength: 1,
      maxLength: notes,
      description: "For operators only. Not a place for passwords.",
      examples: ["Rail kit from the second batch."],
      message: `must be 1 to ${notes} characters, or null`,
    }),
  ),
  keepOutReason: Type.Optional(
    Type.Unsafe<string | null>({
      type: ["string", "null"],
      minLength: limits.reason.min,
      maxLength: limits.reason.max,
      description:
        "Why the machine is kept out of sale. Null puts it on sale. A machine in use stays with its customer, and is not sold again after it is wiped.",
      examples: ["Fan 3 fails under load"],
      message: `must be ${limits.reason.min} to ${limits.reason.max} characters, or null`,
    }),
  ),
};
