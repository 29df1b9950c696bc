import { wipeMachine } from "#kernel/inventory.ts";
import type { Effect, Job, WorkEffect } from "#kernel/work-effects.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";

/** RECLAIM work: a wiped machine can be sold again. One that was not wiped stays DIRTY. */
export const reclaimEffect: WorkEffect = {
  complete: wipe,
  fail: async () => ok({ outcome: "NOT_WIPED" }),
};

async function wipe({ tx, item }: Job): Promise<Result<Effect>> {
  const { machine_id: machineId } = await tx
    .selectFrom("servers")
    .select("machine_id")
    .where("id", "=", item.subjectId)
    .executeTakeFirstOrThrow();
  const wiped = await wipeMachine(tx, machineId);
  if (!wiped.ok) return wiped;
  const detail = { serverId: item.subjectId };
  return ok({
    outcome: "WIPED",
    sideEffect: { action: "machine.wipe", subject: machineId, detail },
  });
}
