import type { Core } from "#kernel/core.ts";
import { cancelPowerChange, queueWork } from "#kernel/work-queue.ts";
import type { Tx } from "#ports/db.ts";

/**
 * What operators do to the machine of a server that is suspended or resumed. No customer asked for it, so no
 * action is recorded: that is how these items are told from customers' requests.
 */
interface PowerChange {
  readonly accountId: string;
  /** Whose row the transaction holds. */
  readonly serverId: string;
  readonly reason: string;
}

/** Suspended: the power is to be cut. An earlier reboot that is still queued must not undo that. */
export async function queuePowerOff(tx: Tx, core: Core, change: PowerChange): Promise<void> {
  await endLiving(tx, core, change, "The server was suspended again");
  await queue(tx, core, change, "power_off");
}

/**
 * Resumed: the power is to be restored. An unclaimed power-off is withdrawn, and there is nothing to restore unless
 * the machine was off before. A claimed one ends as well: its holder must not cut the power any more, but may
 * have done so already.
 */
export async function queuePowerOn(tx: Tx, core: Core, change: PowerChange): Promise<void> {
  const { isWithdrawn } = await endLiving(tx, core, change, "The server was resumed");
  if (!isWithdrawn || (await mayBeOff(tx, change))) await queue(tx, core, change, "reboot");
}

async function queue(
  tx: Tx,
  core: Core,
  { accountId, serverId, reason }: PowerChange,
  action: "power_off" | "reboot",
): Promise<void> {
  const detail = { action, reason };
  await queueWork({ tx, core }, [{ kind: "SERVER_ACTION", accountId, serverId, detail }]);
}

/**
 * Ends the item that is still open. It is locked before it is judged: a claim that commits meanwhile is
 * seen, and its holder may have cut the power already. A lapsed lease is no claim.
 */
async function endLiving(
  tx: Tx,
  core: Core,
  { accountId, serverId, reason }: PowerChange,
  what: string,
): Promise<{ readonly isWithdrawn: boolean }> {
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
  await cancelPowerChange({ tx, core }, living.id, {
    outcome: isHeld ? "SUPERSEDED" : "WITHDRAWN",
    note: `${what}: ${reason}`,
  });
  return { isWithdrawn: !isHeld };
}

/** Whether the machine may be off after the last item that an operator worked on. */
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
