import { usdFromCents } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { Step, TxScope } from "#kernel/call.ts";
import { endServer } from "#kernel/end-server.ts";
import { move } from "#kernel/ledger.ts";
import { recordEvent } from "#kernel/outbox/record-event.ts";
import { renewServer } from "#kernel/server-states.ts";
import { isoTime, minuteText } from "#kernel/iso-time.ts";
import type { DueServer } from "./due-server.ts";
import {
  afterStep,
  renewal,
  withoutPayment,
  type EnteredGrace,
  type Renewed,
  type RenewalStep,
} from "./renewal-step.ts";

/**
 * Applies the next step to a due server whose row the transaction holds. It always tries to charge first. Undefined
 * when there is nothing to do yet.
 */
export async function applyStep(
  transaction: Step,
  server: DueServer,
  now: number,
): Promise<RenewalStep | undefined> {
  const renewed = renewal(server, now, transaction.core.rules.graceMs);
  const isPaid = server.autoRenew === 1 && (await charge(transaction, server, renewed));
  const step = isPaid ? renewed : withoutPayment(server, now);
  if (step === undefined) return undefined;

  if (step.kind === "terminate") {
    const { graceUntil } = server;
    await endServer(transaction, server, `It was not paid for by ${isoTime(graceUntil)}.`);
  } else {
    const isSaved = await renewServer(transaction.tx, server, afterStep(server, step) ?? server);
    if (!isSaved) throw new Error(`${server.id} changed while the renewal pass held its row`);
    await recordEvents(transaction, server, step);
  }
  const detail = { accountId: server.accountId, ...detailOf(step) };
  await audit(transaction, `server.${step.kind}`, server.id, detail);
  return step;
}

/** A server that leaves grace is both renewed and active again. */
async function recordEvents(
  scope: TxScope,
  { id: serverId, accountId, hostname }: DueServer,
  step: Renewed | EnteredGrace,
): Promise<void> {
  if (step.kind === "enter_grace") {
    const data = { serverId, hostname, graceUntil: isoTime(step.graceUntil) };
    return recordEvent(scope, { accountId, type: "server.grace", data });
  }
  const data = { serverId, hostname, paidThrough: isoTime(step.paidThrough) };
  const usd = usdFromCents(step.cents);
  await recordEvent(scope, { accountId, type: "server.renewed", data: { ...data, usd } });
  if (step.heals) await recordEvent(scope, { accountId, type: "server.active", data });
}

/** The cause names the period, so the database refuses a second charge for it. */
async function charge(
  scope: TxScope,
  { id, accountId, hostname }: DueServer,
  { cents, dueAt, paidThrough }: Renewed,
): Promise<boolean> {
  if (cents === 0) return true;
  const moved = await move(scope, {
    type: "RENEWAL_CHARGE",
    accountId,
    cents,
    cause: `renewal/${id}/${dueAt}`,
    description: `Renewal of ${hostname ?? id} until ${minuteText(paidThrough)}`,
    reference: { kind: "server", id },
  });
  return moved.ok;
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
