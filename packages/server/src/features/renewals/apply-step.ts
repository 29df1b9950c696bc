import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import { endServer } from "#kernel/end-server.ts";
import { move } from "#kernel/ledger.ts";
import { isoTime } from "#ports/clock.ts";
import type { Tx } from "#ports/db.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { ServerState } from "#ports/schema.ts";
import type { DueServer } from "./due-server.ts";
import {
  afterStep,
  renewal,
  withoutPayment,
  type Renewed,
  type RenewalStep,
} from "./renewal-step.ts";

/**
 * Does what is due for one server, whose row the transaction holds: a charge is tried first, always.
 * Undefined when there is nothing to do but wait.
 */
export async function applyStep(
  tx: Tx,
  core: Core,
  server: DueServer,
  now: number,
): Promise<RenewalStep | undefined> {
  const renewed = renewal(server, now, core.rules.graceMs);
  const isPaid = server.autoRenew === 1 && (await charge(tx, core, server, renewed));
  const step = isPaid ? renewed : withoutPayment(server, now);
  if (step === undefined) return undefined;

  if (step.kind === "terminate") {
    const { graceUntil } = server;
    await endServer(tx, core, server, `It was not paid for by ${isoTime(graceUntil)}.`);
  } else {
    await saveServer(tx, server, afterStep(server, step) ?? server);
  }
  await audit(tx, core, {
    actor: "system",
    action: `server.${step.kind}`,
    subject: server.id,
    detail: { accountId: server.accountId, ...detailOf(step) },
    ipAddress: "",
  });
  return step;
}

/** The cause names the period, so that the database itself refuses a second charge for it. */
async function charge(
  tx: Tx,
  core: Core,
  { id, accountId, hostname }: DueServer,
  { cents, dueAt, paidThrough }: Renewed,
): Promise<boolean> {
  if (cents === 0) return true;
  const moved = await move(tx, core, {
    type: "RENEWAL_CHARGE",
    accountId,
    cents,
    cause: `renewal/${id}/${dueAt}`,
    description: `Renewal of ${hostname ?? id} until ${minuteOf(paidThrough)}`,
    reference: { kind: "server", id },
  });
  return moved.ok;
}

/** `2026-12-15 09:30 UTC` */
function minuteOf(epochMs: number): string {
  return `${isoTime(epochMs).slice(0, 16).replace("T", " ")} UTC`;
}

interface Change extends Record<string, string | number> {
  readonly id: string;
  readonly from: ServerState;
  readonly dueAt: number;
  readonly state: ServerState;
  readonly paidThrough: number;
  readonly graceUntil: number;
}

/** What it was is in the statement: a server that is no longer what was read is never written over. */
const updateServer = prepared(
  ["id", "from", "dueAt", "state", "paidThrough", "graceUntil"],
  (db, change: Change) =>
    db
      .updateTable("servers")
      .set({
        state: change.state,
        paid_through: change.paidThrough,
        grace_until: change.graceUntil,
      })
      .where("id", "=", change.id)
      .where("state", "=", change.from)
      .where("paid_through", "=", change.dueAt)
      .returning("id"),
);

async function saveServer(tx: Tx, before: DueServer, after: DueServer): Promise<void> {
  const { id, state, paidThrough, graceUntil } = after;
  const expected = { from: before.state, dueAt: before.paidThrough };
  const saved = await updateServer(tx, { id, ...expected, state, paidThrough, graceUntil });
  if (saved.length !== 1) throw new Error(`${id} changed while the renewal pass held it`);
}

function detailOf(step: RenewalStep): Readonly<Record<string, string | number>> {
  const dueAt = isoTime(step.dueAt);
  switch (step.kind) {
    case "renew":
      return { dueAt, cents: step.cents, paidThrough: isoTime(step.paidThrough) };
    case "enter_grace":
      return { dueAt, graceUntil: isoTime(step.graceUntil) };
    case "terminate":
      return { dueAt, machineId: step.machineId };
  }
}
