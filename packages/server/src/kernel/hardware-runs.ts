import { sql } from "kysely";
import type { Tx } from "#ports/db.ts";
import type { Exchange } from "#ports/controllers.ts";
import type { Result } from "#ports/result.ts";
import type { RunState } from "#ports/schema.ts";
import type { TxScope } from "./call.ts";
import { currentTrace } from "./concurrency/trace.ts";
import { runLeaseMs } from "./hardware.ts";
import { ok, refuse } from "./result.ts";
import type { HardwareProgram, RunStep } from "./hardware-programs.ts";

/**
 * A run is QUEUED until an instance takes it (RUNNING), and ends SUCCEEDED, FAILED or UNKNOWN. It is never resumed: a
 * run whose instance crashed ends UNKNOWN when its lease expires.
 */

/** With constants, because the index on living runs applies to these only. */
const isLiving = sql<boolean>`hardware_runs.state in ('QUEUED', 'RUNNING')`;

export interface QueuedRun {
  readonly workId: string;
  readonly machineId: string;
  readonly operatorId: string;
  readonly program: HardwareProgram;
  readonly step: RunStep | null;
}

/** Violates `hardware_runs_machine_id_unique` while the machine has a living run. */
export async function queueRun({ tx, core }: TxScope, run: QueuedRun): Promise<string> {
  const id = core.ids.next("hardwareRun");
  const now = core.clock.now();
  await tx
    .insertInto("hardware_runs")
    .values({
      id,
      work_id: run.workId,
      machine_id: run.machineId,
      operator_id: run.operatorId,
      program: run.program,
      step: run.step,
      state: "QUEUED",
      created_at: now,
      started_at: null,
      ended_at: null,
      lease_until: now + runLeaseMs,
      traceparent: currentTrace() ?? null,
    })
    .execute();
  return id;
}

/** Takes a queued run for this instance. False when another has taken it. */
export async function startRun({ tx, core }: TxScope, runId: string): Promise<boolean> {
  const now = core.clock.now();
  const { numUpdatedRows } = await tx
    .updateTable("hardware_runs")
    .set({ state: "RUNNING", started_at: now, lease_until: now + runLeaseMs })
    .where("id", "=", runId)
    .where("state", "=", "QUEUED")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Adds an exchange to a living run and renews its lease. False when the run has ended. */
export async function addEvidence(
  { tx, core }: TxScope,
  runId: string,
  position: number,
  exchange: Exchange,
): Promise<boolean> {
  const now = core.clock.now();
  const { numUpdatedRows } = await tx
    .updateTable("hardware_runs")
    .set({ lease_until: now + runLeaseMs })
    .where("id", "=", runId)
    .where("state", "=", "RUNNING")
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await insertEvidence(tx, { runId, position, at: now, exchange });
  return true;
}

const longestText = 500;

async function insertEvidence(
  tx: Tx,
  { runId, position, at, exchange }: Evidence & { readonly position: number },
): Promise<void> {
  await tx
    .insertInto("hardware_evidence")
    .values({
      run_id: runId,
      position,
      at,
      request: exchange.request.slice(0, longestText),
      answer: exchange.answer.slice(0, longestText),
      observed: exchange.observed?.slice(0, longestText) ?? null,
    })
    .execute();
}

interface Evidence {
  readonly runId: string;
  readonly at: number;
  readonly exchange: Exchange;
}

export type RunEnd = Extract<RunState, "SUCCEEDED" | "FAILED" | "UNKNOWN">;

/** Ends a living run with the reason as its last evidence. False when it has ended already. */
export async function endRun(
  { tx, core }: TxScope,
  runId: string,
  state: RunEnd,
  reason: string,
): Promise<boolean> {
  const now = core.clock.now();
  const { numUpdatedRows } = await tx
    .updateTable("hardware_runs")
    .set({ state, ended_at: now, lease_until: null })
    .where("id", "=", runId)
    .where("state", "in", ["QUEUED", "RUNNING"])
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  const last = await tx
    .selectFrom("hardware_evidence")
    .select(({ fn }) => fn.max("position").as("position"))
    .where("run_id", "=", runId)
    .executeTakeFirst();
  const exchange = { request: "End of the run", answer: reason, observed: null };
  await insertEvidence(tx, { runId, position: (last?.position ?? 0) + 1, at: now, exchange });
  return true;
}

const notStarted = "No instance of the service started the run in time. Nothing was done.";
const lost =
  "The service stopped during the run. Read the power state and look at the machine before you run anything else.";

/** Ends up to `limit` runs whose lease has expired, and returns how many. */
export async function endLapsedRuns(scope: TxScope, limit: number): Promise<number> {
  const lapsed = await scope.tx
    .selectFrom("hardware_runs")
    .select(["id", "state"])
    // Only living runs have a lease.
    .where("lease_until", "<=", scope.core.clock.now())
    .orderBy("lease_until")
    .limit(limit)
    .forUpdate()
    .execute();
  for (const { id, state } of lapsed) {
    if (state === "QUEUED") await endRun(scope, id, "FAILED", notStarted);
    else await endRun(scope, id, "UNKNOWN", lost);
  }
  return lapsed.length;
}

/** A conflict while a run may still change the machine. */
export async function refuseDuringRun(tx: Tx, machineId: string): Promise<Result<void>> {
  const row = await tx
    .selectFrom("hardware_runs")
    .select("id")
    .where("machine_id", "=", machineId)
    .where(isLiving)
    .executeTakeFirst();
  if (row === undefined) return ok();
  return refuse("conflict", {
    message: "A run on this machine has not ended. Wait until it ends, and check its result.",
  });
}

/** The latest run of an item that was to change something. */
export async function latestRunOf(tx: Tx, workId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom("hardware_runs")
    .select("id")
    .where("work_id", "=", workId)
    .where("program", "<>", "READ_POWER")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}
