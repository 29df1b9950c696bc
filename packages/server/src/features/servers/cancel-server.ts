import { usdFromCents } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Keyed, Step } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { once, type Effect, type RecordedAnswer } from "#kernel/idempotency.ts";
import { withdrawProvisionWork } from "#kernel/work-queue/cancelled-work.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { ServerState } from "#ports/schema.ts";
import { abandonProvisioning } from "./abandon-provisioning.ts";

export interface CancelledServer {
  readonly serverId: string;
  readonly refundUsd: number;
}

/** Cancels a server that no operator has started to deliver: its share is refunded and its machine is free again. */
export async function cancelServer(
  core: Core,
  call: Keyed<CustomerCall>,
  serverId: string,
): Promise<Result<RecordedAnswer<CancelledServer>>> {
  return core.db.write(async (tx) => {
    const state = await lockState(tx, call.accountId, serverId);
    if (state === undefined) return refuse("not_found");
    const step = { tx, core, call };
    return once(step, { serverId }, () => cancel(step, serverId, state));
  });
}

/** In any state, because a repeated request finds the server TERMINATED and must still get its first answer. */
async function lockState(
  tx: Tx,
  accountId: string,
  serverId: string,
): Promise<ServerState | undefined> {
  const server = await tx
    .selectFrom("servers")
    .select("state")
    .where("id", "=", serverId)
    .where("account_id", "=", accountId)
    .forUpdate()
    .executeTakeFirst();
  return server?.state;
}

async function cancel(
  step: Step<CustomerCall>,
  serverId: string,
  state: ServerState,
): Promise<Result<Effect<CancelledServer>>> {
  if (state === "TERMINATED") return refuse("not_found");
  if (state !== "PROVISIONING") {
    return refuse("server_not_ready", { message: "The server has been delivered already." });
  }
  const { accountId } = step.call;
  if (!(await withdrawProvisionWork(step, { accountId, serverId }))) {
    return refuse("server_not_ready", {
      message: "An operator is preparing this server. Write to the operators to have it stopped.",
    });
  }
  const abandoned = await abandonProvisioning(step, {
    serverId,
    reason: "Cancelled by the customer.",
    description: "You cancelled the server before delivery",
    machineState: "FREE",
  });
  if (!abandoned.ok) return abandoned;
  const { refundedCents: cents } = abandoned.value;
  await audit(step, "server.cancel", serverId, { cents });
  const body = { serverId, refundUsd: usdFromCents(cents) };
  return ok({ status: 200, body, reference: serverId });
}
