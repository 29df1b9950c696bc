import type { AuditDetail } from "#kernel/audit.ts";
import type { MachineRecord } from "./machine-record.ts";

/** The fields that a change of the record writes. The state, the asset tag and keeping out of sale have own entries. */
export type RecordFields = Pick<
  MachineRecord,
  "rack" | "unit" | "serialNumber" | "macAddresses" | "switchPort" | "notes"
>;

/** The record of a machine of which only the asset tag is known. */
export const emptyFields: RecordFields = {
  rack: null,
  unit: null,
  serialNumber: null,
  macAddresses: [],
  switchPort: null,
  notes: null,
};

/**
 * The new values of the fields that differ, as the audit log shows them. The audit log is append-only, so it says only
 * that the notes changed: someone may have to delete a password from them.
 */
export function changedFields(next: RecordFields, before: RecordFields): AuditDetail {
  const names = ["rack", "unit", "serialNumber", "switchPort"] as const;
  const changed = names.filter((name) => next[name] !== before[name]);
  const macs = next.macAddresses.join(" ");
  return {
    ...Object.fromEntries(changed.map((name) => [name, next[name]])),
    ...(macs !== before.macAddresses.join(" ") && { macAddresses: macs }),
    ...(next.notes !== before.notes && { notes: next.notes === null ? null : "changed" }),
  };
}
