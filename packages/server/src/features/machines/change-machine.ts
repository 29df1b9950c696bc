import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import { moveByOperator, setAssetTag } from "#kernel/inventory.ts";
import type { OperatorCall, Step } from "#kernel/call.ts";
import type { Tx } from "#ports/db.ts";
import type { Refusal, Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { endReclaim } from "./end-reclaim.ts";
import { selectMachines, toMachineRecord, type MachineRecord } from "./machine-record.ts";

export interface MachineChange {
  readonly state?: "FREE" | "DIRTY" | "RETIRED";
  readonly assetTag?: string;
}

/**
 * Changes a machine's state, its asset tag, or both. Setting the current value changes nothing. A machine that is
 * reserved for or assigned to a server moves only with that server.
 */
export async function changeMachine(
  core: Core,
  call: OperatorCall,
  change: MachineChange & { readonly machineId: string },
): Promise<Result<MachineRecord>> {
  if (change.state === undefined && change.assetTag === undefined) return refuseNothing;
  return core.db.write((tx) => applyChange({ tx, core, call }, change), {
    machines_asset_tag_unique: tagIsTaken,
  });
}

/** Sets the state first, because it locks work and stock, which come before the machine in the lock order. */
async function applyChange(
  step: Step<OperatorCall>,
  { machineId, state, assetTag }: MachineChange & { readonly machineId: string },
): Promise<Result<MachineRecord>> {
  const { tx } = step;
  const seen = await selectMachine(tx, machineId).executeTakeFirst();
  if (seen === undefined) return refuse("not_found");
  if (state !== undefined && state !== seen.state) {
    const moved = await setState(step, seen, state);
    if (!moved.ok) return moved;
    const detail = { from: seen.state, to: state };
    await audit(step, "machine.set_state", machineId, detail);
  }
  const row = await selectMachine(tx, machineId).forUpdate("machines").executeTakeFirstOrThrow();
  const held = toMachineRecord(row);
  if (assetTag === undefined || assetTag === held.assetTag) return ok(held);
  await setAssetTag(tx, machineId, assetTag);
  const detail = { from: held.assetTag, to: assetTag };
  await audit(step, "machine.set_asset_tag", machineId, detail);
  return ok({ ...held, assetTag });
}

function selectMachine(tx: Tx, machineId: string) {
  return selectMachines(tx).where("machines.id", "=", machineId);
}

const refuseNothing = refuse("validation_failed", {
  fields: [
    { field: "state", message: "is required unless assetTag is given" },
    { field: "assetTag", message: "is required unless state is given" },
  ],
});

const tagIsTaken: Refusal = {
  code: "conflict",
  message:
    "Another machine has this asset tag. Choose a different one, or change the other machine first.",
  fields: [{ field: "assetTag", message: "already belongs to another machine" }],
};

/** Locks servers and work before stock and machine. The machine moves only from the state that was read. */
async function setState(
  step: Step<OperatorCall>,
  { id, state: from }: Pick<MachineRecord, "id" | "state">,
  to: MachineRecord["state"],
): Promise<Result<void>> {
  const { tx } = step;
  if (from === "RESERVED" || from === "ASSIGNED") return refuseBusy(tx, id, from, to);
  if (from === "DIRTY") {
    const outcome = to === "FREE" ? "WIPED" : "RETIRED";
    const ended = await endReclaim(step, id, outcome);
    if (!ended.ok) return ended;
  }
  return moveByOperator(tx, id, from, to);
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
