import { termMs } from "#kernel/terms.ts";
import type { DueServer } from "./due-server.ts";

/** One thing that a pass does to one server whose period has ended. */
export type RenewalStep = Renewed | EnteredGrace | Terminated;

interface StepOf<Kind extends string> {
  readonly kind: Kind;
  readonly serverId: string;
  readonly accountId: string;
  /** The end of the period that led to it. */
  readonly dueAt: number;
}

export interface Renewed extends StepOf<"renew"> {
  /** Nothing for a server that costs nothing: it is extended without an entry in the ledger. */
  readonly cents: number;
  readonly paidThrough: number;
  readonly graceUntil: number;
  /** It was in grace, and is paid for again. */
  readonly heals: boolean;
}

export interface EnteredGrace extends StepOf<"enter_grace"> {
  readonly graceUntil: number;
}

export interface Terminated extends StepOf<"terminate"> {
  readonly machineId: string;
}

/**
 * What a charge that has gone through, or that costs nothing, does: one more term from the end of the
 * last one, however late it is. A server that is still due then stays in grace until that is paid too.
 */
export function renewal(server: DueServer, now: number, graceMs: number): Renewed {
  const paidThrough = server.paidThrough + termMs[server.term];
  return {
    kind: "renew",
    ...subjectOf(server),
    cents: server.priceCents,
    paidThrough,
    graceUntil: paidThrough + graceMs,
    heals: server.state === "GRACE" && paidThrough > now,
  };
}

/** What becomes of a server that is not paid for: nothing new while its grace lasts. */
export function withoutPayment(
  server: DueServer,
  now: number,
): EnteredGrace | Terminated | undefined {
  const { graceUntil, machineId } = server;
  if (graceUntil <= now) return { kind: "terminate", ...subjectOf(server), machineId };
  if (server.state !== "ACTIVE") return undefined;
  return { kind: "enter_grace", ...subjectOf(server), graceUntil };
}

/** The server as that step leaves it. Undefined when nothing is left to renew. */
export function afterStep(server: DueServer, step: RenewalStep): DueServer | undefined {
  if (step.kind === "terminate") return undefined;
  if (step.kind === "enter_grace") return { ...server, state: "GRACE" };
  const { paidThrough, graceUntil } = step;
  return { ...server, paidThrough, graceUntil, state: step.heals ? "ACTIVE" : server.state };
}

function subjectOf({ id, accountId, paidThrough }: DueServer) {
  return { serverId: id, accountId, dueAt: paidThrough };
}
