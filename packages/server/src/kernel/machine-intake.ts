import { limits, type FieldError } from "@ironlease/contract";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "./result.ts";
import type { TxScope } from "./call.ts";
import { addStock, insertMachines } from "./inventory.ts";

export interface NewMachine {
  readonly assetTag: string;
  readonly configId: string;
  readonly regionId: string;
  /** FREE when left out. Only FREE machines can be sold. */
  readonly state?: "FREE" | "DIRTY" | "RETIRED" | undefined;
}

/** Keeps the number of distinct statements small, and below every engine's parameter limit. */
const rowsPerInsert = 100;

/**
 * Adds machines and counts the FREE ones into the stock. Returns their ids in the given order. If an asset tag exists
 * already or is repeated, the refusal names its row and nothing is added.
 */
export async function addMachines(
  { tx, core }: TxScope,
  machines: readonly NewMachine[],
): Promise<Result<readonly string[]>> {
  if (machines.length > limits.machinesAtOnce) {
    return refuseField("machines", `must have at most ${limits.machinesAtOnce} entries`);
  }
  const duplicates = rowsNamed(machines, repeatedTags(machines), "is duplicated");
  if (duplicates.length > 0) return refuse("validation_failed", { fields: duplicates });

  await countIn(tx, machines);
  const rows = machines.map(({ assetTag, configId, regionId, state = "FREE" }) => ({
    id: core.ids.next("machine"),
    asset_tag: assetTag,
    config_id: configId,
    region_id: regionId,
    state,
    created_at: core.clock.now(),
  }));
  const added = new Set<string>();
  // In a fixed order, so that concurrent imports of the same tags do not deadlock.
  const sorted = rows.toSorted((a, b) => (a.asset_tag < b.asset_tag ? -1 : 1));
  for (let start = 0; start < sorted.length; start += rowsPerInsert) {
    const rowsOfInsert = sorted.slice(start, start + rowsPerInsert);
    for (const tag of await insertMachines(tx, rowsOfInsert)) added.add(tag);
  }
  const taken = new Set(machines.map(({ assetTag }) => assetTag)).difference(added);
  if (taken.size > 0) {
    return refuse("conflict", {
      message:
        "Machines with these asset tags already exist, so none was added. Remove them from the list.",
      fields: rowsNamed(machines, taken, "already belongs to another machine"),
    });
  }
  return ok(rows.map(({ id }) => id));
}

/** Locks stock before machines, and stock rows in a fixed order. */
async function countIn(tx: Tx, machines: readonly NewMachine[]): Promise<void> {
  const free = machines.filter(({ state = "FREE" }) => state === "FREE");
  const byOffer = Map.groupBy(free, ({ configId, regionId }) =>
    JSON.stringify([configId, regionId]),
  );
  for (const [, members] of [...byOffer].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = members;
    if (first !== undefined) await addStock(tx, first, members.length);
  }
}

function repeatedTags(machines: readonly NewMachine[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { assetTag } of machines) {
    if (seen.has(assetTag)) repeated.add(assetTag);
    seen.add(assetTag);
  }
  return repeated;
}

function rowsNamed(
  machines: readonly NewMachine[],
  tags: ReadonlySet<string>,
  message: string,
): readonly FieldError[] {
  return machines.flatMap(({ assetTag }, index) =>
    tags.has(assetTag) ? [{ field: `machines.${index}.assetTag`, message }] : [],
  );
}
