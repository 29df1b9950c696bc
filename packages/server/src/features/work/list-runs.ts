import type { Core } from "#kernel/core.ts";
import { offersFor, type Offers } from "#kernel/hardware-programs.ts";
import type { Power } from "#ports/controllers.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import type { RunState } from "#ports/schema.ts";
import { findRunTarget, type RunTarget } from "./run-target.ts";
import { findWork, refuseUnknown } from "./work-record.ts";

export interface RunRecord {
  readonly id: string;
  readonly state: RunState;
  readonly step: string | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly evidence: readonly {
    readonly at: number;
    readonly request: string;
    readonly answer: string;
    readonly observed: string | null;
  }[];
}

export interface RunList extends Offers {
  readonly runs: readonly RunRecord[];
  /** The power state that a run last saw, and when. */
  readonly power: { readonly state: Power; readonly at: number } | null;
}

const maxRuns = 20;
/** More than a run records before its time limits end it. */
const maxEvidence = 400;

/** An item's latest runs, newest first, and what a run could do now. */
export async function listRuns(core: Core, workId: string): Promise<Result<RunList>> {
  if ((await findWork(core.db.read, { workId })) === undefined) return refuseUnknown();
  const target = await findRunTarget(core.db.read, workId);
  const power = powerOf(target?.controller);
  return ok({ runs: await readRuns(core, workId), power, ...offersNow(core, target) });
}

function powerOf(controller: RunTarget["controller"]): RunList["power"] {
  const { power = null, powerSeenAt = null } = controller ?? {};
  return power !== null && powerSeenAt !== null ? { state: power, at: powerSeenAt } : null;
}

function offersNow({ hardware }: Core, target: RunTarget | undefined): Offers {
  const none = (byHand: string): Offers => ({ offers: [], byHand });
  if (target === undefined) return none("Runs are for server actions and reclaims only.");
  if (target.controller === undefined) {
    return none("The machine has no controller. An admin can set one on the machines page.");
  }
  if (hardware === undefined) {
    return none("IRONLEASE_HARDWARE_NETWORKS is not set, so no controller is contacted.");
  }
  return offersFor(target, target.controller.driver, hardware.isoMirror);
}

async function readRuns({ db }: Core, workId: string): Promise<readonly RunRecord[]> {
  const runs = await db.read
    .selectFrom("hardware_runs")
    .select(["id", "state", "step", "started_at as startedAt", "ended_at as endedAt"])
    .where("work_id", "=", workId)
    .orderBy("id", "desc")
    .limit(maxRuns)
    .execute();
  const records: RunRecord[] = [];
  for (const run of runs) {
    const evidence = await db.read
      .selectFrom("hardware_evidence")
      .select(["at", "request", "answer", "observed"])
      .where("run_id", "=", run.id)
      .orderBy("position")
      .limit(maxEvidence)
      .execute();
    records.push({ ...run, evidence });
  }
  return records;
}
