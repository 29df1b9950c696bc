import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { Hardware } from "#kernel/hardware.ts";
import { powersOn, type HardwareProgram } from "#kernel/hardware-programs.ts";
import { endLapsedRuns, endRun, startRun } from "#kernel/hardware-runs.ts";
import { startIntervalJob, type IntervalJob } from "#kernel/concurrency/interval-job.ts";
import type { TxScope } from "#kernel/call.ts";
import { ok } from "#kernel/result.ts";
import { lockHeldItem } from "#kernel/work-queue/items.ts";
import type { Result } from "#ports/result.ts";
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
  const follow = (run: TakenRun): void => {
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
        follow(run);
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
  for (;;) {
    const queued = await core.db.read
      .selectFrom("hardware_runs")
      .innerJoin("work", "work.id", "hardware_runs.work_id")
      .select([
        "hardware_runs.id",
        "hardware_runs.machine_id as machineId",
        "hardware_runs.operator_id as operatorId",
        "hardware_runs.work_id as workId",
        "hardware_runs.program",
        "hardware_runs.traceparent",
        "work.action_id as actionId",
        "work.server_id as serverId",
      ])
      .where("hardware_runs.state", "=", sql.lit("QUEUED"))
      .orderBy("hardware_runs.id")
      .limit(1)
      .executeTakeFirst();
    if (queued === undefined) return undefined;
    const { id, machineId, actionId, traceparent } = queued;
    const program = queued.program as HardwareProgram;
    const begun = await core.db.write(async (tx) => begin({ tx, core }, { ...queued, program }));
    // Otherwise another instance was faster, or the run may no longer begin.
    if (begun.ok && begun.value) return { id, machineId, actionId, program, traceparent };
  }
}

interface QueuedRun {
  readonly id: string;
  readonly workId: string;
  readonly serverId: string | null;
  readonly operatorId: string;
  readonly program: HardwareProgram;
}

/** Checks again, with the server and the item locked, what was true when the operator asked for the run. */
async function begin(scope: TxScope, run: QueuedRun): Promise<Result<boolean>> {
  const reason = await reasonAgainst(scope, run);
  if (reason === undefined) return ok(await startRun(scope, run.id));
  await endRun(scope, run.id, "FAILED", `${reason} Nothing was done.`);
  return ok(false);
}

async function reasonAgainst(
  scope: TxScope,
  { workId, serverId, operatorId, program }: QueuedRun,
): Promise<string | undefined> {
  const { tx } = scope;
  const operator = await tx
    .selectFrom("operators")
    .select("disabled_at as disabledAt")
    .where("id", "=", operatorId)
    .executeTakeFirst();
  if (operator?.disabledAt !== null) return "The operator was disabled before the run began.";
  const server = await tx
    .selectFrom("servers")
    .select("state")
    .where("id", "=", serverId)
    .forUpdate()
    .executeTakeFirst();
  if (server?.state === "SUSPENDED" && powersOn(program)) {
    return "The server was suspended before the run began.";
  }
  const held = await lockHeldItem(scope, { workId, operatorId });
  return held === undefined ? "The claim ended before the run began." : undefined;
}
