import { termMs } from "#kernel/terms.ts";
import type { DueServer } from "./due-server.ts";

/** One step of a pass on one server whose period has ended. */
export type RenewalStep = Renewed | EnteredGrace | Terminated;

interface StepOf<Kind extends string> {
  readonly kind: Kind;
  readonly serverId: string;
  readonly accountId: string;
  /** The end of that period. */
  readonly dueAt: number;
}

export interface Renewed extends StepOf<"renew"> {
  /** Zero for a free server, which is extended without a ledger entry. */
  readonly cents: number;
  readonly paidThrough: number;
  readonly graceUntil: number;
  /** The server was in grace and is now paid for. */
  readonly heals: boolean;
}

export interface EnteredGrace extends StepOf<"enter_grace"> {
  readonly graceUntil: number;
}

export interface Terminated extends StepOf<"terminate"> {
  readonly machineId: string;
}

/**
 * The effect of a successful charge or a free renewal: one more term from the end of the last one, even if it is late.
 * A server that is still due stays in grace until the next term is paid too.
 */
export function renewal(server: DueServer, now: number, graceMs: number): Renewed {
  const paidThrough = server.paidThrough + termMs[server.term];
  return {
    kind: "renew",
    ...subjectOf(server),
    cents: server.renewalCents,
    paidThrough,
    graceUntil: paidThrough + graceMs,
    heals: server.state === "GRACE" && paidThrough > now,
  };
}

/** The step for an unpaid server. Undefined while its grace lasts. */
export function withoutPayment(
  server: DueServer,
  now: number,
): EnteredGrace | Terminated | undefined {
  const { graceUntil, machineId } = server;
  if (graceUntil <= now) return { kind: "terminate", ...subjectOf(server), machineId };
  if (server.state !== "ACTIVE") return undefined;
  return { kind: "enter_grace", ...subjectOf(server), graceUntil };
}

/** The server after the step. Undefined when nothing is left to renew. */
export function afterStep(server: DueServer, step: RenewalStep): DueServer | undefined {
  if (step.kind === "terminate") return undefined;
  if (step.kind === "enter_grace") return { ...server, state: "GRACE" };
  const { paidThrough, graceUntil } = step;
  return { ...server, paidThrough, graceUntil, state: step.heals ? "ACTIVE" : server.state };
}

function subjectOf({ id, accountId, paidThrough }: DueServer) {
  return { serverId: id, accountId, dueAt: paidThrough };
}
