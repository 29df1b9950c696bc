import { wipeMachine } from "#kernel/inventory.ts";
import { ok, type Result } from "#ports/result.ts";
import { abandonProvisioning } from "./abandon-provisioning.ts";
import type { Completion } from "./completion.ts";
import type { Failure } from "./failure.ts";
import { provisionServer } from "./provision-server.ts";
import type { Deed } from "./record-step.ts";
import { applyDdosMode, declineDdosMode } from "./settle-ddos.ts";
import { payWithdrawal, readEvidence, rejectWithdrawal } from "./settle-withdrawal.ts";
import type { Job } from "./work-item.ts";

/** What came of an item, in a word, and what was done beyond ending it. */
export interface Effect {
  readonly outcome: string;
  readonly deed?: Deed;
}

/** The effect of completing an item that is locked. */
export async function performWork(job: Job, completion: Completion): Promise<Result<Effect>> {
  switch (job.item.kind) {
    case "PROVISION":
      return effect("DELIVERED", await deliver(job, completion.hostname));
    case "SERVER_ACTION":
      return ok({ outcome: "PERFORMED" });
    case "WITHDRAWAL": {
      const evidence = readEvidence(completion);
      return evidence.ok ? effect("PAID", await payWithdrawal(job, evidence.value)) : evidence;
    }
    case "DDOS":
      return effect("APPLIED", await applyDdosMode(job, completion.quoteCents));
    case "RECLAIM":
      return effect("WIPED", await wipe(job));
  }
}

/** The effect of failing an item that is locked. A machine that was not wiped stays DIRTY. */
export async function giveUpWork(job: Job, failure: Failure): Promise<Result<Effect>> {
  const { reason } = failure;
  switch (job.item.kind) {
    case "PROVISION":
      return effect("REFUNDED", await abandon(job, failure));
    case "SERVER_ACTION":
      return ok({ outcome: "NOT_PERFORMED" });
    case "WITHDRAWAL":
      return effect("REJECTED", await rejectWithdrawal(job, reason));
    case "DDOS":
      return effect("DECLINED", await declineDdosMode(job, reason));
    case "RECLAIM":
      return ok({ outcome: "NOT_WIPED" });
  }
}

function effect(outcome: string, deed: Result<Deed>): Result<Effect> {
  return deed.ok ? ok({ outcome, deed: deed.value }) : deed;
}

async function deliver(
  { tx, core, item }: Job,
  hostname: string | undefined,
): Promise<Result<Deed>> {
  const serverId = item.subjectId;
  const delivered = await provisionServer(tx, core, { serverId, hostname });
  if (!delivered.ok) return delivered;
  const detail = {
    hostname: delivered.value.hostname,
    addresses: delivered.value.addresses.join(" "),
  };
  return ok({ action: "server.deliver", subject: serverId, detail });
}

/** A machine that could not be delivered may be broken, so it is not for sale until an operator says so. */
async function abandon(
  { tx, core, item }: Job,
  { reason, machineState = "DIRTY" }: Failure,
): Promise<Result<Deed>> {
  const serverId = item.subjectId;
  const abandoned = await abandonProvisioning(tx, core, { serverId, reason, machineState });
  if (!abandoned.ok) return abandoned;
  const detail = { cents: abandoned.value.refundedCents, reason, machineState };
  return ok({ action: "server.refund", subject: serverId, detail });
}

/** The disks hold nobody's data any more: the machine can be sold again. */
async function wipe({ tx, item }: Job): Promise<Result<Deed>> {
  const { machine_id: machineId } = await tx
    .selectFrom("servers")
    .select("machine_id")
    .where("id", "=", item.subjectId)
    .executeTakeFirstOrThrow();
  const wiped = await wipeMachine(tx, machineId);
  if (!wiped.ok) return wiped;
  return ok({ action: "machine.wipe", subject: machineId, detail: { serverId: item.subjectId } });
}
