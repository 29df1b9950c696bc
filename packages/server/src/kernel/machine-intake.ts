import { limits, type FieldError } from "@ironlease/contract";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "./result.ts";
import type { TxScope } from "./call.ts";
import { addStock, insertMachines, insertMacs } from "./inventory.ts";
import { inBatches } from "./sql/batches.ts";
import {
  faultsAmong,
  findTaken,
  normaliseMac,
  takenTag,
  type IndexedFault,
  type MachineIdentity,
} from "./machine-identity.ts";

/** The part of a machine's record that operators write. Null and undefined are the same for a new machine. */
export interface MachineFields {
  readonly rack?: string | null | undefined;
  readonly unit?: number | null | undefined;
  readonly serialNumber?: string | null | undefined;
  readonly macAddresses?: readonly string[] | undefined;
  readonly switchPort?: string | null | undefined;
  readonly notes?: string | null | undefined;
  /** Why the machine is kept out of sale. */
  readonly keepOutReason?: string | null | undefined;
}

export interface NewMachine extends MachineFields {
  readonly assetTag: string;
  readonly configId: string;
  readonly regionId: string;
  /** FREE when left out. Only FREE machines that are not kept out of sale can be sold. */
  readonly state?: "FREE" | "DIRTY" | "RETIRED" | undefined;
}

/**
 * Adds machines and counts those for sale into the stock. Returns their ids in the given order, which are the given
 * ones or new ones. If an asset tag or another unique value exists already or is repeated, the refusal names its row and
 * nothing is added.
 */
export async function addMachines(
  { tx, core }: TxScope,
  machines: readonly NewMachine[],
  ids: readonly string[] = [],
): Promise<Result<readonly string[]>> {
  if (machines.length > limits.machinesAtOnce) {
    return refuseField("machines", `must have at most ${limits.machinesAtOnce} entries`);
  }
  const identities = machines.map(identityOf);
  const faults = faultsAmong(identities).map(fieldOfRow);
  if (faults.length > 0) return refuse("validation_failed", { fields: faults });
  const takenValues = await findTaken(tx, identities);
  if (takenValues.length > 0) return refuseTaken(takenValues);

  await countIn(tx, machines);
  const rows = machines.map((machine, index) => ({
    id: ids[index] ?? core.ids.next("machine"),
    asset_tag: machine.assetTag,
    config_id: machine.configId,
    region_id: machine.regionId,
    state: machine.state ?? "FREE",
    created_at: core.clock.now(),
    rack: machine.rack ?? null,
    unit: machine.unit ?? null,
    serial_number: machine.serialNumber ?? null,
    switch_port: machine.switchPort ?? null,
    notes: machine.notes ?? null,
    keep_out_reason: machine.keepOutReason ?? null,
    macs: identities[index]?.macAddresses ?? [],
  }));
  const added = new Set<string>();
  // In a fixed order, so that concurrent imports of the same tags do not deadlock.
  const sorted = rows.toSorted((a, b) => (a.asset_tag < b.asset_tag ? -1 : 1));
  await inBatches(sorted, async (batch) => {
    const columns = batch.map(({ macs: _macs, ...row }) => row);
    for (const tag of await insertMachines(tx, columns)) added.add(tag);
  });
  const takenMeanwhile = machines.flatMap(({ assetTag }, index) =>
    added.has(assetTag) ? [] : [takenTag(index)],
  );
  if (takenMeanwhile.length > 0) return refuseTaken(takenMeanwhile);
  const macs = rows.flatMap(({ id, macs: ofMachine }) =>
    ofMachine.map((mac, position) => ({ mac, machine_id: id, position })),
  );
  const sortedMacs = macs.toSorted((a, b) => (a.mac < b.mac ? -1 : 1));
  await inBatches(sortedMacs, (batch) => insertMacs(tx, batch));
  return ok(rows.map(({ id }) => id));
}

function identityOf(machine: NewMachine): MachineIdentity {
  const { assetTag, regionId, state = "FREE", rack, unit, serialNumber } = machine;
  return {
    assetTag,
    regionId,
    state,
    rack: rack ?? null,
    unit: unit ?? null,
    serialNumber: serialNumber ?? null,
    macAddresses: machine.macAddresses?.map(normaliseMac) ?? [],
  };
}

function fieldOfRow({ index, field, message }: IndexedFault): FieldError {
  return { field: `machines.${index}.${field}`, message };
}

/** A machine that is added again has all of its values already, so its asset tag says enough. */
function refuseTaken(taken: readonly IndexedFault[]): Result<never> {
  const tags = taken.filter(({ field }) => field === "assetTag");
  const again = new Set(tags.map(({ index }) => index));
  const others = taken.filter(({ index }) => !again.has(index));
  const message =
    others.length === 0
      ? "Machines with these asset tags already exist, so none was added. Remove them from the list."
      : "Other machines have some of these values already, so none was added. Correct the list, or change the other machines first.";
  return refuse("conflict", { message, fields: [...tags, ...others].map(fieldOfRow) });
}

/** Locks stock before machines, and stock rows in a fixed order. */
async function countIn(tx: Tx, machines: readonly NewMachine[]): Promise<void> {
  const byOffer = Map.groupBy(machines, ({ configId, regionId }) =>
    JSON.stringify([configId, regionId]),
  );
  for (const [, members] of [...byOffer].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = members;
    if (first === undefined) continue;
    const free = members.filter(isForSale).length;
    await addStock(tx, first, { free, machines: members.length });
  }
}

function isForSale({ state = "FREE", keepOutReason }: NewMachine): boolean {
  return state === "FREE" && (keepOutReason ?? null) === null;
}
