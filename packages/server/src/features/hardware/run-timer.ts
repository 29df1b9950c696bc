import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Hardware } from "#kernel/hardware.ts";
import type { HardwareProgram } from "#kernel/hardware-programs.ts";
import { endLapsedRuns, endRun, startRun } from "#kernel/hardware-runs.ts";
import { startIntervalJob, type IntervalJob } from "#kernel/concurrency/interval-job.ts";
import { ok, refuse } from "#kernel/result.ts";
import { performRun, RunEnded, type TakenRun } from "./perform-run.ts";

/** Runs of different machines at once, per instance. */
const maxAtOnce = 16;
const lapsedAtOnce = 100;

interface RunTimer {
  readonly everyMs: number;
  readonly report: (error: unknown) => void;
  readonly onPass: () => void;
}

/** Starts queued runs, at most 16 at once, and ends lost ones. Stopping aborts the runs and waits for them. */
export function startHardwareRuns(
  core: Core & { readonly hardware: Hardware },
  { everyMs, report, onPass }: RunTimer,
): IntervalJob {
  const living = new Set<Promise<void>>();
  const stopping = new AbortController();
  const begin = (run: TakenRun): void => {
    const performed = performRun(core, run, stopping.signal)
      .catch((error: unknown) => {
        if (!(error instanceof RunEnded)) report(error);
      })
      .finally(() => living.delete(performed));
    living.add(performed);
  };
  const job = startIntervalJob(
    async (stop) => {
      await endLost(core);
      while (living.size < maxAtOnce && !stop.aborted) {
        const run = await takeRun(core);
        if (run === undefined) break;
        begin(run);
      }
      onPass();
      return [];
    },
    everyMs,
    report,
  );
  return {
    stop: async () => {
      stopping.abort(new Error("The service is stopping."));
      await job.stop();
      await Promise.all(living);
    },
  };
}

/** Ends runs whose instance has crashed, and runs that no instance took. */
export async function endLost(core: Core): Promise<void> {
  const hasLapsed = await core.db.read
    .selectFrom("hardware_runs")
    .select("id")
    .where("lease_until", "<=", core.clock.now())
    .limit(1)
    .executeTakeFirst();
  if (hasLapsed === undefined) return;
  await core.db.write(async (tx) => ok(await endLapsedRuns({ tx, core }, lapsedAtOnce)));
}

/** Takes the oldest queued run: it is RUNNING, and that is committed, before the controller is called. */
export async function takeRun(core: Core): Promise<TakenRun | undefined> {
  const next = await core.db.read
    .selectFrom("hardware_runs")
    .innerJoin("work", "work.id", "hardware_runs.work_id")
    .select([
      "hardware_runs.id",
      "hardware_runs.machine_id as machineId",
      "hardware_runs.program",
      "hardware_runs.operator_id as operatorId",
      "work.action_id as actionId",
      "work.state",
      "work.claimed_by as claimedBy",
      "work.lease_until as leaseUntil",
    ])
    .where("hardware_runs.state", "=", sql.lit("QUEUED"))
    .orderBy("hardware_runs.id")
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return undefined;
  const { id, machineId, actionId, operatorId, state, claimedBy, leaseUntil } = next;
  const isHeld =
    state === "CLAIMED" && claimedBy === operatorId && (leaseUntil ?? 0) > core.clock.now();
  const taken = await core.db.write(async (tx) => {
    if (isHeld) return (await startRun({ tx, core }, id)) ? ok() : refuse("conflict");
    await endRun({ tx, core }, id, "FAILED", "The claim ended before the run began.");
    return ok();
  });
  // Another instance was faster, or the claim has ended. Look for the next one.
  if (!taken.ok || !isHeld) return takeRun(core);
  return { id, machineId, actionId, program: next.program as HardwareProgram };
}
