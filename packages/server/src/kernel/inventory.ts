import { limits } from "@ironlease/contract";
import { sql, type Kysely } from "kysely";
import type { Tx } from "#ports/db.ts";
import { prepared } from "./sql/prepared.ts";
import { ok, refuse, type Result } from "#ports/result.ts";
import type { MachineState, Schema } from "#ports/schema.ts";

/** One configuration in one region: what the stock counts. */
type Offer = { readonly configId: string; readonly regionId: string };

type Wanted = Offer & { readonly quantity: number };

const reserveFree = prepared(
  ["configId", "regionId", "quantity"],
  (db, { configId, regionId, quantity }: Wanted) =>
    db
      .updateTable("machines")
      .set({ state: "RESERVED" })
      .where("id", "in", (eb) =>
        // PostgreSQL takes a bound limit for a tenth of the table and would join all of it.
        eb
          .selectFrom(
            freeMachines(db, { configId, regionId }).limit(limits.quantity.max).as("free"),
          )
          .select("free.id")
          .limit(quantity),
      )
      .returning("id"),
);

/** As `reserveFree` for a single one, as most orders are: SQLite makes no table of what it picks then. */
const reserveOne = prepared(["configId", "regionId"], (db, offer: Offer) =>
  db
    .updateTable("machines")
    .set({ state: "RESERVED" })
    .where("id", "=", freeMachines(db, offer).limit(1))
    .returning("id"),
);

/**
 * The range of `machines_by_offer` that holds the offer's free machines. Row comparisons and not three equalities:
 * with those PostgreSQL may walk the primary key instead, which finds a new configuration's machines last, while
 * its statistics do not know that configuration.
 */
function freeMachines(db: Kysely<Schema>, { configId, regionId }: Offer) {
  return db
    .selectFrom("machines")
    .select("id")
    .where(sql<boolean>`(config_id, region_id, state, id) > (${configId}, ${regionId}, 'FREE', '')`)
    .where(sql<boolean>`(config_id, region_id, state) <= (${configId}, ${regionId}, 'FREE')`)
    .orderBy("config_id")
    .orderBy("region_id")
    .orderBy("state")
    .orderBy("id");
}

/**
 * Reserves so many free machines of an offer, or refuses with `capacity_exhausted`. Whatever changes
 * how many are FREE takes the stock row before any machine and holds it until the transaction ends:
 * it decides who gets the last one, and nobody else picks from the same machines meanwhile.
 */
export async function reserveMachines(tx: Tx, wanted: Wanted): Promise<Result<readonly string[]>> {
  const { quantity } = wanted;
  if (!(await takeStock(tx, wanted, quantity))) return refuse("capacity_exhausted");
  const reserved = quantity === 1 ? await reserveOne(tx, wanted) : await reserveFree(tx, wanted);
  if (reserved.length !== quantity) throw new Error("the stock counts machines that are not free");
  return ok(reserved.map(({ id }) => id));
}

/** Where a machine can go whose server was never delivered. */
export type FailedMachineState = Extract<MachineState, "DIRTY" | "RETIRED" | "FREE">;

/** Ends a reservation whose server is not delivered. */
export function releaseReserved(
  tx: Tx,
  machineId: string,
  to: FailedMachineState,
): Promise<Result<void>> {
  return moveMachine(tx, machineId, "RESERVED", to);
}

export function assignMachine(tx: Tx, machineId: string): Promise<Result<void>> {
  return moveMachine(tx, machineId, "RESERVED", "ASSIGNED");
}

/** Its server has ended. It holds somebody's data until it is wiped, and must not be sold. */
export function dirtyMachine(tx: Tx, machineId: string): Promise<Result<void>> {
  return moveMachine(tx, machineId, "ASSIGNED", "DIRTY");
}

export function wipeMachine(tx: Tx, machineId: string): Promise<Result<void>> {
  return moveMachine(tx, machineId, "DIRTY", "FREE");
}

export function retireMachine(tx: Tx, machineId: string): Promise<Result<void>> {
  return setMachineState(tx, machineId, "RETIRED");
}

/** Where an operator may put a machine. One that serves a living server moves with its server only. */
const operatorMoves: Readonly<Record<MachineState, readonly MachineState[]>> = {
  FREE: ["DIRTY", "RETIRED"],
  RESERVED: [],
  ASSIGNED: [],
  DIRTY: ["FREE", "RETIRED"],
  RETIRED: ["FREE", "DIRTY"],
};

/** Puts a machine into a state by an operator's word. What it is already, it stays. */
export async function setMachineState(
  tx: Tx,
  machineId: string,
  to: MachineState,
): Promise<Result<void>> {
  const machine = await tx
    .selectFrom("machines")
    .select("state")
    .where("id", "=", machineId)
    .executeTakeFirst();
  if (machine === undefined) return refuse("not_found");
  if (machine.state === to) return ok();
  return moveByOperator(tx, machineId, machine.state, to);
}

/** The same from the state in which somebody saw it: in any other one by now, it is a conflict. */
export async function moveByOperator(
  tx: Tx,
  machineId: string,
  from: MachineState,
  to: MachineState,
): Promise<Result<void>> {
  if (!operatorMoves[from].includes(to)) {
    return refuse("conflict", { message: `A machine that is ${from} cannot be set ${to}.` });
  }
  return moveMachine(tx, machineId, from, to);
}

/** The expected state is in the statement: whoever comes second is refused. */
async function moveMachine(
  tx: Tx,
  machineId: string,
  from: MachineState,
  to: MachineState,
): Promise<Result<void>> {
  // Which offer a machine belongs to never changes, so it may be read before anything is locked.
  const offer = await tx
    .selectFrom("machines")
    .select(["config_id as configId", "region_id as regionId"])
    .where("id", "=", machineId)
    .executeTakeFirst();
  if (offer === undefined) return refuse("not_found");
  const isMissing = refuse("conflict", {
    message: `The machine is not ${from} any more. Read it again before you go on.`,
  });

  if (from === "FREE" && !(await takeStock(tx, offer, 1))) return isMissing;
  if (to === "FREE") await addStock(tx, offer, 1);
  const { numUpdatedRows } = await tx
    .updateTable("machines")
    .set({ state: to })
    .where("id", "=", machineId)
    .where("state", "=", from)
    .executeTakeFirst();
  return numUpdatedRows === 1n ? ok() : isMissing;
}

const takeFromStock = prepared(
  ["configId", "regionId", "quantity"],
  (db, { configId, regionId, quantity }: Wanted) =>
    db
      .updateTable("stock")
      .set({ free: sql`free - ${quantity}` })
      .where("config_id", "=", configId)
      .where("region_id", "=", regionId)
      .where("free", ">=", quantity)
      .returning("free"),
);

/** Counts free machines out, or says that there are not so many. */
async function takeStock(tx: Tx, offer: Offer, quantity: number): Promise<boolean> {
  return (await takeFromStock(tx, { ...offer, quantity })).length === 1;
}

/** Counts free machines in. The first of an offer finds no row yet. */
export async function addStock(tx: Tx, offer: Offer, quantity: number): Promise<void> {
  await tx
    .insertInto("stock")
    .values({ config_id: offer.configId, region_id: offer.regionId, free: quantity })
    .onConflict((conflict) =>
      conflict
        .columns(["config_id", "region_id"])
        .doUpdateSet({ free: sql`stock.free + excluded.free` }),
    )
    .execute();
}

/** Inserts the machines whose asset tags are free, and returns those tags. The caller counts them into the stock. */
export async function insertMachines(
  tx: Tx,
  machines: readonly Schema["machines"][],
): Promise<readonly string[]> {
  const inserted = await tx
    .insertInto("machines")
    .values(machines)
    .onConflict((conflict) => conflict.column("asset_tag").doNothing())
    .returning("asset_tag")
    .execute();
  return inserted.map((row) => row.asset_tag);
}

/** The database refuses a tag that another machine has. */
export async function setAssetTag(tx: Tx, machineId: string, assetTag: string): Promise<void> {
  await tx
    .updateTable("machines")
    .set({ asset_tag: assetTag })
    .where("id", "=", machineId)
    .execute();
}
