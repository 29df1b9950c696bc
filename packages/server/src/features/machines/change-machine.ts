import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import { moveByOperator, replaceMacs, setKeepOut, updateMachine } from "#kernel/inventory.ts";
import {
  faultsAmong,
  findTaken,
  normaliseMac,
  takenMeanwhile,
  type IndexedFault,
} from "#kernel/machine-identity.ts";
import type { MachineFields } from "#kernel/machine-intake.ts";
import type { OperatorCall, Step } from "#kernel/call.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { changedFields } from "./changed-fields.ts";
import { endReclaim } from "./end-reclaim.ts";
import { findMachine, type MachineRecord } from "./machine-record.ts";

export interface MachineChange extends MachineFields {
  readonly state?: "FREE" | "DIRTY" | "RETIRED";
  readonly assetTag?: string;
}

/**
 * Changes what is given and leaves the rest. Setting the current value changes nothing. A machine that is reserved for
 * or assigned to a server moves only with that server, but its record can change.
 */
export async function changeMachine(
  core: Core,
  call: OperatorCall,
  { machineId, ...change }: MachineChange & { readonly machineId: string },
): Promise<Result<MachineRecord>> {
  if (Object.values(change).every((value) => value === undefined)) return refuseNothing;
  return core.db.write((tx) => applyChange({ tx, core, call }, machineId, change), takenMeanwhile);
}

/**
 * Sets the state first, because it locks work and stock, which come before the machine in the lock order. A RETIRED
 * machine has neither, and is moved to its new unit before it returns.
 */
async function applyChange(
  step: Step<OperatorCall>,
  machineId: string,
  change: MachineChange,
): Promise<Result<MachineRecord>> {
  const { tx } = step;
  const seen = await findMachine(tx, machineId);
  if (seen === undefined) return refuse("not_found");
  const checked = await checkIdentity(tx, withChange(seen, change));
  if (!checked.ok) return checked;
  if (seen.state === "RETIRED") await writeRecord(step, machineId, change);
  const moved = await move(step, seen, change);
  return moved.ok ? ok(await writeRecord(step, machineId, change)) : moved;
}

/** The record after the change, except for its controller and power, which do not change here. */
function withChange(
  record: MachineRecord,
  { macAddresses, ...change }: MachineChange,
): MachineRecord {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return {
    ...record,
    ...(Object.fromEntries(given) as Partial<MachineRecord>),
    ...(macAddresses !== undefined && { macAddresses: macAddresses.map(normaliseMac) }),
  };
}

async function checkIdentity(tx: Tx, next: MachineRecord): Promise<Result<void>> {
  const toFields = (faults: readonly IndexedFault[]) =>
    faults.map(({ field, message }) => ({ field, message }));
  const faults = toFields(faultsAmong([next]));
  if (faults.length > 0) return refuse("validation_failed", { fields: faults });
  const fields = toFields(await findTaken(tx, [next], next.id));
  if (fields.length === 0) return ok();
  const message =
    "Another machine has this value already. Choose a different one, or change the other machine first.";
  return refuse("conflict", { message, fields });
}

/** Changes the state, keeps the machine out of sale or puts it on sale, each with its own audit entry. */
async function move(
  step: Step<OperatorCall>,
  seen: MachineRecord,
  { state, keepOutReason = seen.keepOutReason }: MachineChange,
): Promise<Result<void>> {
  const reason = keepOutReason === seen.keepOutReason ? undefined : keepOutReason;
  if (state !== undefined && state !== seen.state) {
    const moved = await setState(step, seen, state, reason);
    if (!moved.ok) return moved;
    await audit(step, "machine.set_state", seen.id, { from: seen.state, to: state });
  } else if (reason !== undefined) {
    const moved = await setKeepOut(step.tx, seen.id, seen.state, reason);
    if (!moved.ok) return moved;
  }
  if (reason === undefined) return ok();
  if (reason === null) await audit(step, "machine.return_to_sale", seen.id);
  else await audit(step, "machine.keep_out", seen.id, { reason });
  return ok();
}

/** Writes what differs from the stored record, and returns the record. */
async function writeRecord(
  step: Step<OperatorCall>,
  machineId: string,
  change: MachineChange,
): Promise<MachineRecord> {
  const { tx } = step;
  const held = await lockMachine(tx, machineId);
  const next = withChange(held, change);
  const { id, assetTag, rack, unit, serialNumber, switchPort, notes, macAddresses } = next;
  const detail = changedFields(next, held);
  const isChanged = Object.keys(detail).length > 0;
  if (assetTag === held.assetTag && !isChanged) return next;
  await updateMachine(tx, id, {
    asset_tag: assetTag,
    rack,
    unit,
    serial_number: serialNumber,
    switch_port: switchPort,
    notes,
  });
  if ("macAddresses" in detail) await replaceMacs(tx, id, macAddresses);
  if (assetTag !== held.assetTag) {
    await audit(step, "machine.set_asset_tag", id, { from: held.assetTag, to: assetTag });
  }
  if (isChanged) await audit(step, "machine.set_record", id, detail);
  return next;
}

async function lockMachine(tx: Tx, machineId: string): Promise<MachineRecord> {
  const machine = tx.selectFrom("machines").select("id").where("id", "=", machineId);
  await machine.forUpdate().executeTakeFirstOrThrow();
  const record = await findMachine(tx, machineId);
  if (record === undefined) throw new Error("a locked machine has no record");
  return record;
}

const refuseNothing = refuse("validation_failed", {
  fields: [
    { field: "state", message: "is required unless assetTag is given" },
    { field: "assetTag", message: "is required unless state is given" },
  ],
});

/** Locks servers and work before stock and machine. The machine moves only from the state that was read. */
async function setState(
  step: Step<OperatorCall>,
  { id, state: from }: Pick<MachineRecord, "id" | "state">,
  to: MachineRecord["state"],
  keepOutReason: string | null | undefined,
): Promise<Result<void>> {
  const { tx } = step;
  if (from === "RESERVED" || from === "ASSIGNED") return refuseBusy(tx, id, from, to);
  if (from === "DIRTY") {
    const outcome = to === "FREE" ? "WIPED" : "RETIRED";
    const ended = await endReclaim(step, id, outcome);
    if (!ended.ok) return ended;
  }
  return moveByOperator(tx, id, from, to, keepOutReason);
}

async function refuseBusy(
  tx: Tx,
  machineId: string,
  state: "RESERVED" | "ASSIGNED",
  to: string,
): Promise<Result<never>> {
  const server = await tx
    .selectFrom("servers")
    .select("id")
    .where("machine_id", "=", machineId)
    .where("state", "<>", "TERMINATED")
    .executeTakeFirst();
  const whose = server === undefined ? "a server" : `the server ${server.id}`;
  return refuse("conflict", {
    message:
      state === "RESERVED"
        ? `The machine is reserved for ${whose} and cannot be set to ${to}. Complete or fail its PROVISION work item first.`
        : `The machine is assigned to ${whose} and cannot be set to ${to} until that server is terminated.`,
  });
}
