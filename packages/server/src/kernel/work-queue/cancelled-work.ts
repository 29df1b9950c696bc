import { sql } from "kysely";
import type { TxScope } from "../call.ts";

/** An end without an operator: the claim is cleared, so that no one is recorded as having ended it. */
function cancelled({ core }: TxScope, outcome: string, note: string) {
  return {
    state: "FAILED",
    claimed_by: null,
    lease_until: null,
    note,
    outcome,
    ended_at: core.clock.now(),
    waiting_since: null,
  } as const;
}

/** Ends the actions and DDoS requests of a server that has ended. */
export async function cancelServerWork(
  scope: TxScope,
  serverId: string,
  reason: string,
): Promise<void> {
  await scope.tx
    .updateTable("work")
    .set(cancelled(scope, "SERVER_ENDED", `The server has ended: ${reason}`))
    .where("server_id", "=", serverId)
    .where("kind", "in", ["SERVER_ACTION", "DDOS"])
    .where("state", "in", ["OPEN", "CLAIMED"])
    .execute();
}

/** Ends the server's DDoS request because the customer withdrew it or its quote expired, even if an operator holds it. */
export async function cancelDdosWork(
  scope: TxScope,
  { accountId, serverId }: { readonly accountId: string; readonly serverId: string },
  { outcome, note }: { readonly outcome: "WITHDRAWN" | "EXPIRED"; readonly note: string },
): Promise<void> {
  await scope.tx
    .updateTable("work")
    .set(cancelled(scope, outcome, note))
    .where("account_id", "=", accountId)
    .where("server_id", "=", serverId)
    .where("kind", "=", "DDOS")
    .where("state", "in", ["OPEN", "CLAIMED"])
    .execute();
}

/**
 * Ends the delivery of a server because the customer cancelled it. False when an operator holds the item, so that no
 * one prepares a machine that is for sale again.
 */
export async function withdrawProvisionWork(
  scope: TxScope,
  { accountId, serverId }: { readonly accountId: string; readonly serverId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await scope.tx
    .updateTable("work")
    .set(cancelled(scope, "WITHDRAWN", "The customer cancelled the server."))
    .where("account_id", "=", accountId)
    .where("server_id", "=", serverId)
    .where("kind", "=", "PROVISION")
    .where(
      sql<boolean>`(state = 'OPEN' or (state = 'CLAIMED' and lease_until <= ${scope.core.clock.now()}))`,
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends a power change whose row the transaction holds. */
export async function cancelPowerChange(
  scope: TxScope,
  workId: string,
  { outcome, note }: { readonly outcome: "SUPERSEDED" | "WITHDRAWN"; readonly note: string },
): Promise<void> {
  await scope.tx
    .updateTable("work")
    .set(cancelled(scope, outcome, note))
    .where("id", "=", workId)
    .execute();
}
