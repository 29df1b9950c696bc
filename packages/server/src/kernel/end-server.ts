import type { Tx } from "#ports/db.ts";
import { releaseAddresses } from "./addresses.ts";
import type { Core } from "./core.ts";
import { dirtyMachine } from "./inventory.ts";
import { endServerWork, queueWork } from "./work-queue.ts";

/** A delivered server whose row the transaction holds. */
export interface EndingServer {
  readonly id: string;
  readonly accountId: string;
  readonly hostname: string | null;
  readonly machineId: string;
  readonly configId: string;
  readonly regionId: string;
}

/**
 * Ends a delivered server: nothing that was asked for it is done any more, its addresses are nobody's,
 * and its machine waits, with somebody's data on it, for an operator to wipe it. Whoever calls this
 * holds the server; work, machine and subnets follow in that order.
 */
export async function endServer(
  tx: Tx,
  core: Core,
  server: EndingServer,
  reason: string,
): Promise<void> {
  const { id, accountId, hostname, machineId, configId, regionId } = server;
  const { numUpdatedRows } = await tx
    .updateTable("servers")
    .set({
      ...{ state: "TERMINATED", ddos_requested_mode: null },
      ...{ suspended_at: null, suspension_reason: null },
    })
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .where("state", "in", ["ACTIVE", "GRACE", "SUSPENDED"])
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`${id} is not a delivered server that could end`);

  await endServerWork(tx, core, id, reason);
  const detail = { machineId, hostname, configId, regionId, reason };
  await queueWork(tx, core, [{ kind: "RECLAIM", accountId, serverId: id, detail }]);
  const dirtied = await dirtyMachine(tx, machineId);
  if (!dirtied.ok) throw new Error(`the machine ${machineId} of ${id} is not assigned to it`);
  await releaseAddresses(tx, core, id);
}
