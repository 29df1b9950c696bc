import { audit } from "#kernel/audit.ts";
import type { OperatorCall, Step } from "#kernel/call.ts";
import { refuseDuringRun } from "#kernel/hardware-runs.ts";
import { completeReclaim } from "#kernel/work-queue/items.ts";
import { isoTime } from "#kernel/iso-time.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/**
 * Completes the reclaim work of a machine whose state an operator sets directly, unless another operator holds it.
 * Locks the machine's servers before their work, like every other transaction.
 */
export async function endReclaim(
  step: Step<OperatorCall>,
  machineId: string,
  outcome: "WIPED" | "RETIRED",
): Promise<Result<void>> {
  const { tx, core, call } = step;
  const { operatorId } = call.operator;
  await lockServersWithReclaim(tx, machineId);
  const items = await lockOpenReclaims(tx, machineId);
  const idle = await refuseDuringRun(tx, machineId);
  if (!idle.ok) return idle;
  for (const { id, serverId, state, claimedBy, holder, leaseUntil } of items) {
    const isAnothers = state === "CLAIMED" && claimedBy !== operatorId;
    if (isAnothers && leaseUntil !== null && leaseUntil > core.clock.now()) {
      return refuse("conflict", {
        message: `${holder ?? "Another operator"} has claimed the RECLAIM work item of this machine (${id}) until ${isoTime(leaseUntil)}. Ask them to complete or release it.`,
      });
    }
    await completeReclaim(step, { workId: id, operatorId }, outcome);
    const detail = { kind: "RECLAIM", about: serverId, outcome, machineId };
    await audit(step, "work.complete", id, detail);
  }
  return ok();
}

const openStates = ["OPEN", "CLAIMED"] as const;

async function lockServersWithReclaim(tx: Tx, machineId: string): Promise<void> {
  await tx
    .selectFrom("servers")
    .select("id")
    .where("machine_id", "=", machineId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("work")
          .select("work.id")
          .whereRef("work.server_id", "=", "servers.id")
          .where("work.kind", "=", "RECLAIM")
          .where("work.state", "in", openStates),
      ),
    )
    .orderBy("id")
    .forUpdate()
    .execute();
}

async function lockOpenReclaims(tx: Tx, machineId: string) {
  return tx
    .selectFrom("work")
    .leftJoin("operators", "operators.id", "work.claimed_by")
    .select([
      "work.id",
      "work.server_id as serverId",
      "work.state",
      "work.claimed_by as claimedBy",
      "operators.username as holder",
      "work.lease_until as leaseUntil",
    ])
    .where("work.server_id", "in", (eb) =>
      eb.selectFrom("servers").select("id").where("machine_id", "=", machineId),
    )
    .where("work.kind", "=", "RECLAIM")
    .where("work.state", "in", openStates)
    .orderBy("work.id")
    .forUpdate("work")
    .execute();
}
