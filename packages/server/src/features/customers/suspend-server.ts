import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { isoTimeOrNull } from "#kernel/iso-time.ts";
import { recordEvent } from "#kernel/outbox/record-event.ts";
import { setSuspension } from "#kernel/server-states.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { ServerState } from "#ports/schema.ts";
import { operatorServerColumns, type OperatorServer } from "./operator-server.ts";
import { queuePowerOff, queuePowerOn } from "./power-work.ts";
import { readReason } from "./reason.ts";

interface SuspensionInput {
  readonly serverId: string;
  readonly reason: string;
}

/** Suspends a server and queues its power-off. It takes no actions, and its paid term keeps running. */
export function suspendServer(core: Core, call: OperatorCall, input: SuspensionInput) {
  return setSuspended(core, call, input, {
    action: "server.suspend",
    next: () => "SUSPENDED",
    isUnchanged: (state) => state === "SUSPENDED",
    suspension: (reason) => ({ suspendedAt: core.clock.now(), suspensionReason: reason }),
    queuePower: queuePowerOff,
  });
}

/** Resumes a server: ACTIVE, or GRACE when its paid term is over. */
export function resumeServer(core: Core, call: OperatorCall, input: SuspensionInput) {
  const now = core.clock.now();
  return setSuspended(core, call, input, {
    action: "server.resume",
    next: ({ paidThrough }) => (paidThrough !== null && paidThrough > now ? "ACTIVE" : "GRACE"),
    isUnchanged: (state) => state !== "SUSPENDED",
    suspension: () => ({ suspendedAt: null, suspensionReason: null }),
    queuePower: queuePowerOn,
  });
}

interface Change {
  readonly action: string;
  readonly next: (server: OperatorServer) => ServerState;
  /** Whether the server is already in the requested state. */
  readonly isUnchanged: (state: ServerState) => boolean;
  readonly suspension: (reason: string) => Pick<OperatorServer, "suspendedAt" | "suspensionReason">;
  readonly queuePower: typeof queuePowerOff;
}

/** Holds the server's row throughout. The renewal pass and the work queue lock the same row first. */
async function setSuspended(
  core: Core,
  call: OperatorCall,
  { serverId, ...input }: SuspensionInput,
  { action, next, isUnchanged, suspension, queuePower }: Change,
): Promise<Result<OperatorServer>> {
  const reason = readReason(input.reason);
  if (!reason.ok) return reason;
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    const server = await tx
      .selectFrom("servers")
      .select(operatorServerColumns)
      .where("id", "=", serverId)
      .forUpdate()
      .executeTakeFirst();
    if (server === undefined) return refuse("not_found");
    if (server.state === "PROVISIONING") return notDelivered;
    if (server.state === "TERMINATED") return hasEnded;
    if (isUnchanged(server.state)) return ok(server);

    const state = next(server);
    const stopped = suspension(reason.value);
    const { accountId } = server;
    await setSuspension(tx, serverId, { state, ...stopped });
    await queuePower(step, { accountId, serverId, reason: reason.value });
    const detail = { reason: reason.value, from: server.state, to: state };
    await audit(step, action, serverId, detail);
    await recordEvent(step, { accountId, ...eventOf({ ...server, state }) });
    return ok({ ...server, state, ...stopped });
  });
}

/** The state is ACTIVE, GRACE or SUSPENDED, which have an event each. */
function eventOf({ id: serverId, hostname, state, paidThrough, graceUntil }: OperatorServer) {
  const data = { serverId, hostname };
  if (state === "SUSPENDED") return { type: "server.suspended", data } as const;
  if (state === "GRACE") {
    return {
      type: "server.grace",
      data: { ...data, graceUntil: isoTimeOrNull(graceUntil) },
    } as const;
  }
  return {
    type: "server.active",
    data: { ...data, paidThrough: isoTimeOrNull(paidThrough) },
  } as const;
}

const notDelivered = refuse("conflict", {
  message: "The server is not delivered yet. Complete or fail its PROVISION work item first.",
});

const hasEnded = refuse("conflict", {
  message: "The server is terminated and can no longer be suspended or resumed.",
});
