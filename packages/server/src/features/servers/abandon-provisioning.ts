import { freeReserved } from "#kernel/address-reservations.ts";
import type { TxScope } from "#kernel/call.ts";
import { abandonServer } from "#kernel/server-states.ts";
import { cancelServerWork } from "#kernel/work-queue/cancelled-work.ts";
import { releaseReserved, type FailedMachineState } from "#kernel/inventory.ts";
import { move } from "#kernel/ledger.ts";
import { recordEvent } from "#kernel/outbox/record-event.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

interface Abandonment {
  readonly serverId: string;
  readonly reason: string;
  /** The description of the refund, which the customer reads in the ledger. */
  readonly description: string;
  readonly machineState: FailedMachineState;
}

/**
 * Gives up on a server that cannot be delivered: refunds its share of the order once and ends the
 * reservations of its machine and addresses. Locks server, balance, stock, machine and subnets in that order.
 */
export async function abandonProvisioning(
  scope: TxScope,
  { serverId, reason, description, machineState }: Abandonment,
): Promise<Result<{ readonly refundedCents: number }>> {
  const { tx } = scope;
  const server = await tx
    .selectFrom("servers")
    .select(["account_id", "machine_id", "price_cents"])
    .where("id", "=", serverId)
    .executeTakeFirst();
  if (server === undefined) return refuse("not_found");

  if (!(await abandonServer(scope, serverId))) {
    return refuse("conflict", { message: "The server has been delivered or has ended already." });
  }
  await cancelServerWork(scope, serverId, reason);
  // A free server was never charged, and the ledger accepts no movement of zero.
  if (server.price_cents > 0) {
    const refunded = await move(scope, {
      type: "REFUND",
      accountId: server.account_id,
      cents: server.price_cents,
      cause: `refund/${serverId}`,
      description,
      reference: { kind: "server", id: serverId },
    });
    if (!refunded.ok) {
      return refuse("conflict", {
        message: "The refund would exceed the maximum balance. Adjust the balance first.",
      });
    }
  }
  const released = await releaseReserved(tx, server.machine_id, machineState);
  if (!released.ok) return released;
  await freeReserved(tx, serverId);
  await recordEvent(scope, {
    accountId: server.account_id,
    type: "server.terminated",
    data: { serverId, hostname: null },
  });
  return ok({ refundedCents: server.price_cents });
}
