import type { Keyed, OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { offersFor, type RunStep } from "#kernel/hardware-programs.ts";
import { queueRun } from "#kernel/hardware-runs.ts";
import { once, type RecordedAnswer } from "#kernel/idempotency.ts";
import type { HeldJob } from "#kernel/work-effects.ts";
import type { Refusal, Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { lockHeld } from "./lease.ts";
import { recordStep } from "./record-step.ts";
import { findRunTarget } from "./run-target.ts";
import { findItem } from "./work-item.ts";

const isRunning: Refusal = {
  code: "conflict",
  message: "Another run on this machine has not ended. Wait until it ends.",
};

/**
 * Queues a run on the controller of the item's machine. The item stays claimed: only its operator completes it. The
 * checks run in this order: not found, role, key, lease, controller, offer, other runs.
 */
export async function requestRun(
  core: Core,
  call: Keyed<OperatorCall>,
  { workId, step }: { readonly workId: string; readonly step?: RunStep | undefined },
): Promise<Result<RecordedAnswer<{ readonly id: string }>>> {
  return core.db.write(
    async (tx) => {
      const item = await findItem(tx, call, workId);
      if (!item.ok) return item;
      const job = { tx, core, call, item: item.value };
      return once(job, { workId, step: step ?? null }, async () => {
        const held = await lockHeld(job);
        if (!held.ok) return held;
        const id = await queue(held.value, step ?? null);
        return id.ok ? ok({ status: 202, body: { id: id.value }, reference: id.value }) : id;
      });
    },
    { hardware_runs_machine_id_unique: isRunning },
  );
}

async function queue(job: HeldJob, step: RunStep | null): Promise<Result<string>> {
  const { tx, core, call, item } = job;
  const conflict = (message: string) => refuse("conflict", { message });
  const target = await findRunTarget(tx, item.id);
  if (target === undefined) return conflict("This work item has no machine to run anything on.");
  if (target.controller === undefined) {
    return conflict("The machine has no controller. Do it by hand, or ask an admin to set one.");
  }
  if (core.hardware === undefined) {
    return conflict("IRONLEASE_HARDWARE_NETWORKS is not set, so no controller is contacted.");
  }
  const { driver } = target.controller;
  const { offers, byHand } = offersFor(target, driver, core.hardware.isoMirror);
  const offer = offers.find((candidate) => candidate.step === step);
  if (offer === undefined) {
    return conflict(byHand ?? `This request has no step ${step ?? "without a name"}.`);
  }
  const { program } = offer;
  const { machineId } = target;
  const { operatorId } = call.operator;
  const id = await queueRun(job, { workId: item.id, machineId, operatorId, program, step });
  await recordStep(job, "work.run", { runId: id, machineId, program });
  return ok(id);
}
