import type { TxScope } from "#kernel/call.ts";
import { cancelPowerChange } from "#kernel/work-queue/cancelled-work.ts";
import { queueWork } from "#kernel/work-queue/items.ts";
import type { Tx } from "#ports/db.ts";

/**
 * A power change after a suspension or a resumption. The customer did not request it, so it has no action id, which
 * distinguishes these items from customers' actions.
 */
interface PowerChange {
  readonly accountId: string;
  /** The transaction holds this server's row. */
  readonly serverId: string;
  readonly reason: string;
}

/** Queues a power-off, and cancels an earlier reboot that would undo it. */
export async function queuePowerOff(scope: TxScope, change: PowerChange): Promise<void> {
  await endOpenItem(scope, change, "The server was suspended again");
  await queue(scope, change, "power_off");
}

/**
 * Cancels the power-off and queues a reboot if the machine may be off: because it was off before, or because an
 * operator had claimed the power-off and may have carried it out.
 */
export async function queuePowerOn(scope: TxScope, change: PowerChange): Promise<void> {
  const { isWithdrawn } = await endOpenItem(scope, change, "The server was resumed");
  if (!isWithdrawn || (await mayBeOff(scope.tx, change))) await queue(scope, change, "reboot");
}

async function queue(
  scope: TxScope,
  { accountId, serverId, reason }: PowerChange,
  action: "power_off" | "reboot",
): Promise<void> {
  const detail = { action, reason };
  await queueWork(scope, [{ kind: "SERVER_ACTION", accountId, serverId, detail }]);
}

/** Ends the open item. Locks it first, so that it sees a concurrent claim. An expired lease is not a claim. */
async function endOpenItem(
  scope: TxScope,
  { accountId, serverId, reason }: PowerChange,
  what: string,
): Promise<{ readonly isWithdrawn: boolean }> {
  const { tx, core } = scope;
  const now = core.clock.now();
  const living = await tx
    .selectFrom("work")
    .select(["id", "state", "lease_until"])
    .where("server_id", "=", serverId)
    .where("account_id", "=", accountId)
    .where("kind", "=", "SERVER_ACTION")
    .where("action_id", "is", null)
    .where("state", "in", ["OPEN", "CLAIMED"])
    .forUpdate()
    .executeTakeFirst();
  if (living === undefined) return { isWithdrawn: false };
  const isHeld = living.state === "CLAIMED" && (living.lease_until ?? 0) > now;
  await cancelPowerChange(scope, living.id, {
    outcome: isHeld ? "SUPERSEDED" : "WITHDRAWN",
    note: `${what}: ${reason}`,
  });
  return { isWithdrawn: !isHeld };
}

/** Whether the machine may be off after the last power change that an operator carried out. */
async function mayBeOff(tx: Tx, { accountId, serverId }: PowerChange): Promise<boolean> {
  const last = await tx
    .selectFrom("work")
    .select(["detail", "outcome"])
    .where("server_id", "=", serverId)
    .where("account_id", "=", accountId)
    .where("kind", "=", "SERVER_ACTION")
    .where("action_id", "is", null)
    .where("outcome", "<>", "WITHDRAWN")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return false;
  const { action } = JSON.parse(last.detail) as { readonly action: string };
  return action !== "reboot" || last.outcome !== "PERFORMED";
}
