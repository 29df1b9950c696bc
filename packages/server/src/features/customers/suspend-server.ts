import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/access/operator.ts";
import { setSuspension } from "#kernel/server-states.ts";
import { ok, refuse, type Result } from "#ports/result.ts";
import type { ServerState } from "#ports/schema.ts";
import { heldServerColumns, type HeldServer } from "./held-server.ts";
import { queuePowerOff, queuePowerOn } from "./power-work.ts";
import { readReason } from "./reason.ts";

type Wish = { readonly reason: string };

/** Nothing can be asked of its hardware from now on, and its power is to be cut. Its paid time runs on. */
export function suspendServer(core: Core, call: OperatorCall, serverId: string, wish: Wish) {
  return setSuspended(core, call, serverId, wish, {
    action: "server.suspend",
    next: () => "SUSPENDED",
    isThere: (state) => state === "SUSPENDED",
    suspension: (reason) => ({ suspendedAt: core.clock.now(), suspensionReason: reason }),
    queuePower: queuePowerOff,
  });
}

/** As if it had never been suspended: in use, or in grace when its paid time is over. */
export function resumeServer(core: Core, call: OperatorCall, serverId: string, wish: Wish) {
  const now = core.clock.now();
  return setSuspended(core, call, serverId, wish, {
    action: "server.resume",
    next: ({ paidThrough }) => (paidThrough !== null && paidThrough > now ? "ACTIVE" : "GRACE"),
    isThere: (state) => state !== "SUSPENDED",
    suspension: () => ({ suspendedAt: null, suspensionReason: null }),
    queuePower: queuePowerOn,
  });
}

interface Step {
  readonly action: string;
  readonly next: (server: HeldServer) => ServerState;
  /** Whether there is nothing to do. */
  readonly isThere: (state: ServerState) => boolean;
  readonly suspension: (reason: string) => Pick<HeldServer, "suspendedAt" | "suspensionReason">;
  readonly queuePower: typeof queuePowerOff;
}

/** The server is held until it is done: the renewal pass and the desk take the same row first. */
async function setSuspended(
  core: Core,
  { operator, client }: OperatorCall,
  serverId: string,
  wish: Wish,
  { action, next, isThere, suspension, queuePower }: Step,
): Promise<Result<HeldServer>> {
  const reason = readReason(wish.reason);
  if (!reason.ok) return reason;
  return core.db.write(async (tx) => {
    const server = await tx
      .selectFrom("servers")
      .select(heldServerColumns)
      .where("id", "=", serverId)
      .forUpdate()
      .executeTakeFirst();
    if (server === undefined) return refuse("not_found");
    if (server.state === "PROVISIONING") return notDelivered;
    if (server.state === "TERMINATED") return hasEnded;
    if (isThere(server.state)) return ok(server);

    const state = next(server);
    const stopped = suspension(reason.value);
    const { accountId } = server;
    await setSuspension(tx, serverId, { state, ...stopped });
    await queuePower(tx, core, { accountId, serverId, reason: reason.value });
    await audit(tx, core, {
      actor: operator.operatorId,
      action,
      subject: serverId,
      detail: { reason: reason.value, from: server.state, to: state },
      ipAddress: client.ipAddress,
    });
    return ok({ ...server, state, ...stopped });
  });
}

const notDelivered = refuse("conflict", {
  message: "The server is not delivered yet. Complete or fail the work to deliver it first.",
});

const hasEnded = refuse("conflict", {
  message: "The server has ended. There is nothing left to suspend or to resume.",
});
