import { inBatches } from "./sql/batches.ts";
import type { Tx } from "#ports/db.ts";
import type { ControllerDriver, Power } from "#ports/controllers.ts";
import type { Kysely } from "kysely";
import type { Schema } from "#ports/schema.ts";

/** A machine's controller as stored. */
export interface StoredController {
  readonly driver: ControllerDriver;
  readonly address: string;
  readonly username: string;
  /** Sealed. */
  readonly credential: string;
  readonly certificateSha256: string | null;
}

/** The context in which a credential is sealed, so that it does not open for another machine. */
export function controllerContext(machineId: string): string {
  return `controller ${machineId}`;
}

export function findController(db: Kysely<Schema>, machineId: string) {
  return db
    .selectFrom("controllers")
    .select([
      "driver",
      "address",
      "username",
      "credential",
      "certificate_sha256 as certificateSha256",
      "power",
      "power_seen_at as powerSeenAt",
    ])
    .where("machine_id", "=", machineId)
    .executeTakeFirst();
}

/** Replaces the machine's controller. The power state of an earlier one is forgotten. */
export async function setController(
  tx: Tx,
  machineId: string,
  controller: StoredController,
): Promise<void> {
  const row = rowOf(controller);
  await tx
    .insertInto("controllers")
    .values({ machine_id: machineId, ...row })
    .onConflict((conflict) => conflict.column("machine_id").doUpdateSet(row))
    .execute();
}

/** Adds the controllers of new machines. */
export async function insertControllers(
  tx: Tx,
  controllers: readonly (StoredController & { readonly machineId: string })[],
): Promise<void> {
  const rows = controllers.map(({ machineId, ...controller }) => ({
    machine_id: machineId,
    ...rowOf(controller),
  }));
  await inBatches(rows, async (batch) => {
    await tx.insertInto("controllers").values(batch).execute();
  });
}

function rowOf({ driver, address, username, credential, certificateSha256 }: StoredController) {
  return {
    driver,
    address,
    username,
    credential,
    certificate_sha256: certificateSha256,
    power: null,
    power_seen_at: null,
  };
}

/** False when the machine has none. */
export async function removeController(tx: Tx, machineId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("controllers")
    .where("machine_id", "=", machineId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Unless the controller has been replaced since it was asked. */
export async function recordPower(
  tx: Tx,
  machineId: string,
  { address, power, at }: { readonly address: string; readonly power: Power; readonly at: number },
): Promise<void> {
  await tx
    .updateTable("controllers")
    .set({ power, power_seen_at: at })
    .where("machine_id", "=", machineId)
    .where("address", "=", address)
    .execute();
}

/** Replaces a credential with the same one sealed again, unless it has changed. */
export async function replaceCredential(
  tx: Tx,
  machineId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx
    .updateTable("controllers")
    .set({ credential: to })
    .where("machine_id", "=", machineId)
    .where("credential", "=", from)
    .execute();
}
