import { releaseAddresses } from "./addresses.ts";
import type { TxScope } from "./call.ts";
import { dirtyMachine } from "./inventory.ts";
import { recordEvent } from "./outbox/record-event.ts";
import { terminateServer } from "./server-states.ts";
import { cancelServerWork } from "./work-queue/cancelled-work.ts";
import { queueWork } from "./work-queue/items.ts";

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
 * Ends a delivered server: cancels its open work, releases its addresses and queues the machine, which still holds
 * customer data, to be wiped. The caller holds the server's row; work, machine and subnets are locked in that order.
 */
export async function endServer(
  scope: TxScope,
  server: EndingServer,
  reason: string,
): Promise<void> {
  const { tx } = scope;
  const { id, accountId, hostname, machineId, configId, regionId } = server;
  const isTerminated = await terminateServer(scope, { id, accountId });
  if (!isTerminated) throw new Error(`${id} is not a delivered server, so it cannot end`);

  await cancelServerWork(scope, id, reason);
  const detail = { machineId, hostname, configId, regionId, reason };
  await queueWork(scope, [{ kind: "RECLAIM", accountId, serverId: id, detail }]);
  const dirtied = await dirtyMachine(tx, machineId);
  if (!dirtied.ok) throw new Error(`the machine ${machineId} of ${id} is not assigned to it`);
  await releaseAddresses(scope, id);
  const data = { serverId: id, hostname };
  await recordEvent(scope, { accountId, type: "server.terminated", data });
}
