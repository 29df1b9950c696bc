import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordRun, type Weakness } from "./record-run.ts";
import { cutOnce, cutRecording, type Cut } from "./sqlite-cuts.ts";

const cutsPerRun = 40;
const stepsPerRound = 10;

export interface SqliteRun {
  readonly seed: number;
  /** Whether it went on from what a power cut had left of the run before. */
  readonly followsCut: boolean;
  readonly cuts: readonly Cut[];
  /** Where the log is kept, when something was lost. */
  readonly kept: string | undefined;
}

export interface SqliteRunsOptions {
  readonly cuts: number;
  readonly seed: number;
  readonly weakness: Weakness | undefined;
  readonly onRun: (run: SqliteRun) => void;
}

/** Records as many runs as so many cuts need; every second one goes on from a cut of the one before. */
export async function cutSqliteRuns(options: SqliteRunsOptions): Promise<readonly SqliteRun[]> {
  const { cuts, seed, weakness, onRun } = options;
  const runs: SqliteRun[] = [];
  let log: string | undefined;
  for (let left = cuts; left > 0; left -= cutsPerRun) {
    const runSeed = seed + runs.length;
    const before = log !== undefined && runs.length % 2 === 1 ? cutOnce(log, runSeed) : undefined;
    log = await recordRun({
      ...{ name: `run${runs.length}`, seed: runSeed, steps: stepsPerRound, restarts: true },
      ...{ before, weakness },
    });
    const cut = await cutKeeping(log, Math.min(left, cutsPerRun), runSeed);
    const run = { ...cut, followsCut: before !== undefined };
    runs.push(run);
    onRun(run);
  }
  return runs;
}

/** The same cuts once more, of a log that was kept. */
export function cutKept(log: string, cuts: number, seed: number): Promise<readonly Cut[]> {
  return cutRecording(log, { cuts, seed, asksEvery: 1 });
}

async function cutKeeping(log: string, count: number, seed: number) {
  const cuts = await cutKept(log, count, seed);
  const hasLost = cuts.some(({ problems }) => problems.length > 0);
  return { seed, cuts, kept: hasLost ? keep(log) : undefined };
}

/** The clock decides what is in a log, so that a seed alone does not bring it back. */
function keep(log: string): string {
  const kept = join(mkdtempSync(join(tmpdir(), "ironlease-power-cut-")), "writes.log");
  copyFileSync(log, kept);
  return kept;
}
