import { usdText } from "@ironlease/contract";
import { reserveAddresses } from "#kernel/address-reservations.ts";
import type { AuditDetail } from "#kernel/audit.ts";
import type { Completion, Effect, Failure, Job, WorkEffect } from "#kernel/work-effects.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import { abandonProvisioning } from "./abandon-provisioning.ts";
import { provisionServer } from "./provision-server.ts";

/** PROVISION work: an operator delivers the server, or gives up and refunds it. */
export const provisionEffect: WorkEffect = {
  claim: prepare,
  complete: deliver,
  fail: abandon,
};

/** Reserves the server's addresses, so that the operator can configure them before the server is delivered. */
async function prepare({ tx, item }: Job): Promise<AuditDetail> {
  const { region_id: regionId } = await tx
    .selectFrom("servers")
    .select("region_id")
    .where("id", "=", item.subjectId)
    .executeTakeFirstOrThrow();
  const addresses = await reserveAddresses(tx, { workId: item.id, regionId });
  return { addresses: addresses.join(" ") };
}

async function deliver(job: Job, { hostname }: Completion): Promise<Result<Effect>> {
  const serverId = job.item.subjectId;
  const delivered = await provisionServer(job, { serverId, hostname });
  if (!delivered.ok) return delivered;
  const detail = {
    hostname: delivered.value.hostname,
    addresses: delivered.value.addresses.join(" "),
  };
  return ok({
    outcome: "DELIVERED",
    report: `Delivery: done. Host name ${detail.hostname}. Addresses: ${detail.addresses.replaceAll(" ", ", ")}`,
    sideEffect: { action: "server.deliver", subject: serverId, detail },
  });
}

/** The machine may be broken, so by default it is DIRTY and cannot be sold until it is wiped. */
async function abandon(
  job: Job,
  { reason, machineState = "DIRTY" }: Failure,
): Promise<Result<Effect>> {
  const serverId = job.item.subjectId;
  const description = `Not delivered: ${reason}`;
  const abandonment = { serverId, reason, description, machineState };
  const abandoned = await abandonProvisioning(job, abandonment);
  if (!abandoned.ok) return abandoned;
  const detail = { cents: abandoned.value.refundedCents, reason, machineState };
  return ok({
    outcome: "REFUNDED",
    report: `Delivery: not possible. ${usdText(detail.cents)} USD were returned to your balance.`,
    sideEffect: { action: "server.refund", subject: serverId, detail },
  });
}
