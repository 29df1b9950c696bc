import { limits } from "@ironlease/contract";
import { sql, type Insertable, type Kysely, type Updateable } from "kysely";
import type { Tx } from "#ports/db.ts";
import { prepared, preparedChange } from "./sql/prepared.ts";
import { sendTogether } from "./sql/send-together.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "./result.ts";
import type { MachineState, Schema } from "#ports/schema.ts";

/** One configuration in one region. Stock is counted per offer. */
type Offer = { readonly configId: string; readonly regionId: string };

type Wanted = Offer & { readonly quantity: number };
type Taken = Wanted & { readonly sold: number };

const reserveFree = prepared(
  ["configId", "regionId", "quantity"],
  (db, { configId, regionId, quantity }: Wanted) =>
    db
      .updateTable("machines")
      .set({ state: "RESERVED" })
      .where("id", "in", (eb) =>
        // PostgreSQL estimates a bound limit as a tenth of the table and would join all of it.
        eb
          .selectFrom(
            machinesForSale(db, { configId, regionId }).limit(limits.quantity.max).as("free"),
          )
          .select("free.id")
          .limit(quantity),
      )
      .returning("id"),
);

/** Like `reserveFree`, for the most frequent case of one machine: SQLite then builds no temporary table. */
const reserveOne = prepared(["configId", "regionId"], (db, offer: Offer) =>
  db
    .updateTable("machines")
    .set({ state: "RESERVED" })
    .where("id", "=", machinesForSale(db, offer).limit(1))
    .returning("id"),
);

/**
 * The range of `machines_for_sale` with the offer's machines. With two equalities instead of row comparisons,
 * PostgreSQL may walk the primary key until its statistics include a new configuration, and that finds the newest
 * machines last.
 */
function machinesForSale(db: Kysely<Schema>, { configId, regionId }: Offer) {
  return db
    .selectFrom("machines")
    .select("id")
    .where(sql<boolean>`state = 'FREE' and keep_out_reason is null`)
    .where(sql<boolean>`(config_id, region_id, id) > (${configId}, ${regionId}, '')`)
    .where(sql<boolean>`(config_id, region_id) <= (${configId}, ${regionId})`)
    .orderBy("config_id")
    .orderBy("region_id")
    .orderBy("id");
}

/**
 * Reserves free machines of an offer, or refuses with `capacity_exhausted`. Every change to the number of
 * machines for sale locks the stock row before any machine, so the stock row decides who gets the last one.
 */
export async function reserveMachines(tx: Tx, wanted: Wanted): Promise<Result<readonly string[]>> {
  const { quantity } = wanted;
  const taking = takeStock(tx, { ...wanted, sold: quantity });
  // Several machines are locked under the stock row only, because two orders could lock them in different orders.
  const reserving =
    quantity === 1
      ? reserveOne(tx, wanted)
      : taking.then((isTaken) => (isTaken ? reserveFree(tx, wanted) : []));
  const [isTaken, reserved] = await sendTogether(taking, reserving);
  if (!isTaken) return refuse("capacity_exhausted");
  if (reserved.length !== quantity)
    throw new Error("the stock counts machines that are not for sale");
  return ok(reserved.map(({ id }) => id));
}

/** The states that a machine may take when its server was never delivered. */
export type FailedMachineState = Extract<MachineState, "DIRTY" | "RETIRED" | "FREE">;

/** Ends the reservation of a machine whose server is not delivered. */
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

/** The machine's server has ended. It holds customer data until it is wiped, and must not be sold. */
export function dirtyMachine(tx: Tx, machineId: string): Promise<Result<void>> {
  return moveMachine(tx, machineId, "ASSIGNED", "DIRTY");
}

export function wipeMachine(tx: Tx, machineId: string): Promise<Result<void>> {
  return moveMachine(tx, machineId, "DIRTY", "FREE");
}

export function retireMachine(tx: Tx, machineId: string): Promise<Result<void>> {
  return setMachineState(tx, machineId, "RETIRED");
}

/** The moves an operator may make. The machine of a current server moves only with its server. */
const operatorMoves: Readonly<Record<MachineState, readonly MachineState[]>> = {
  FREE: ["DIRTY", "RETIRED"],
  RESERVED: [],
  ASSIGNED: [],
  DIRTY: ["FREE", "RETIRED"],
  RETIRED: ["FREE", "DIRTY"],
};

/** Sets a machine's state for an operator. Setting the current state changes nothing. */
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

/** Like `setMachineState`, but a conflict if the machine is no longer in the state that was read. */
export async function moveByOperator(
  tx: Tx,
  machineId: string,
  from: MachineState,
  to: MachineState,
  keepOutReason?: string | null,
): Promise<Result<void>> {
  if (!operatorMoves[from].includes(to)) {
    return refuse("conflict", { message: `A machine that is ${from} cannot be set to ${to}.` });
  }
  return moveMachine(tx, machineId, from, to, keepOutReason);
}

/** Keeps a machine out of sale, or puts it on sale again (null). Its state stays, and so does its customer. */
export async function setKeepOut(
  tx: Tx,
  machineId: string,
  state: MachineState,
  keepOutReason: string | null,
): Promise<Result<void>> {
  return moveMachine(tx, machineId, state, state, keepOutReason);
}

/**
 * The stock counts machines for sale: FREE and not kept out. The conditions on what was read refuse the second of two
 * concurrent moves.
 */
async function moveMachine(
  tx: Tx,
  machineId: string,
  from: MachineState,
  to: MachineState,
  keepOutReason?: string | null,
): Promise<Result<void>> {
  // A machine's offer never changes, so it may be read before anything is locked.
  const seen = await tx
    .selectFrom("machines")
    .select(["config_id as configId", "region_id as regionId", "keep_out_reason as keepOutReason"])
    .where("id", "=", machineId)
    .executeTakeFirst();
  if (seen === undefined) return refuse("not_found");
  const isMissing = refuse("conflict", {
    message: `The machine is no longer ${from}. Read it again before you continue.`,
  });

  const next = keepOutReason === undefined ? seen.keepOutReason : keepOutReason;
  const wasForSale = from === "FREE" && seen.keepOutReason === null;
  const isForSale = to === "FREE" && next === null;
  if (wasForSale && !isForSale && !(await takeStock(tx, { ...seen, quantity: 1, sold: 0 }))) {
    return isMissing;
  }
  if (isForSale && !wasForSale) await addStock(tx, seen, { free: 1 });
  const touchesStock = from === "FREE" || to === "FREE";
  const { numUpdatedRows } = await tx
    .updateTable("machines")
    .set({ state: to, ...(keepOutReason !== undefined && { keep_out_reason: keepOutReason }) })
    .where("id", "=", machineId)
    .where("state", "=", from)
    .$if(touchesStock, (update) =>
      update.where("keep_out_reason", seen.keepOutReason === null ? "is" : "is not", null),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n ? ok() : isMissing;
}

const takeFromStock = preparedChange(
  ["configId", "regionId", "quantity", "sold"],
  (db, { configId, regionId, quantity, sold }: Taken) =>
    db
      .updateTable("stock")
      .set({ free: sql`free - ${quantity}`, servers: sql`servers + ${sold}` })
      .where("config_id", "=", configId)
      .where("region_id", "=", regionId)
      .where("free", ">=", quantity),
);

/** Takes machines from the stock. False when there are too few. */
async function takeStock(tx: Tx, taken: Taken): Promise<boolean> {
  return (await takeFromStock(tx, taken)) === 1;
}

/** Adds machines for sale to the stock, and new machines to its total. An offer's first machine inserts the row. */
export async function addStock(
  tx: Tx,
  { configId, regionId }: Offer,
  { free, machines = 0 }: { readonly free: number; readonly machines?: number },
): Promise<void> {
  await tx
    .insertInto("stock")
    .values({ config_id: configId, region_id: regionId, free, machines })
    .onConflict((conflict) =>
      conflict.columns(["config_id", "region_id"]).doUpdateSet({
        free: sql`stock.free + excluded.free`,
        machines: sql`stock.machines + excluded.machines`,
      }),
    )
    .execute();
}

/** Inserts the machines whose asset tags are free, and returns those tags. The caller counts them into the stock. */
export async function insertMachines(
  tx: Tx,
  machines: readonly Insertable<Schema["machines"]>[],
): Promise<readonly string[]> {
  const inserted = await tx
    .insertInto("machines")
    .values(machines)
    .onConflict((conflict) => conflict.column("asset_tag").doNothing())
    .returning("asset_tag")
    .execute();
  return inserted.map((row) => row.asset_tag);
}

/** The database refuses an asset tag, serial number, unit or rack that another machine has. */
export async function updateMachine(
  tx: Tx,
  machineId: string,
  columns: Updateable<Schema["machines"]>,
): Promise<void> {
  await tx.updateTable("machines").set(columns).where("id", "=", machineId).execute();
}

/** Replaces the MAC addresses of a machine. The database refuses one that another machine has. */
export async function replaceMacs(
  tx: Tx,
  machineId: string,
  macs: readonly string[],
): Promise<void> {
  await tx.deleteFrom("machine_macs").where("machine_id", "=", machineId).execute();
  await insertMacs(
    tx,
    macs.map((mac, position) => ({ mac, machine_id: machineId, position })),
  );
}

export async function insertMacs(tx: Tx, macs: readonly Schema["machine_macs"][]): Promise<void> {
  if (macs.length > 0) await tx.insertInto("machine_macs").values(macs).execute();
}
