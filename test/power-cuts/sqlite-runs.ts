import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recordRun, type WeakerSync } from "./record-run.ts";
import { cutOnce, cutRecording, type Cut } from "./sqlite-cuts.ts";

const cutsPerRun = 40;
const stepsPerRound = 10;

export interface SqliteRun {
  readonly seed: number;
  /** Whether the run continued from a power cut in the previous run. */
  readonly followsCut: boolean;
  readonly cuts: readonly Cut[];
  /** Path of the saved log if a cut found a problem. */
  readonly savedLog: string | undefined;
}

export interface SqliteRunsOptions {
  readonly cuts: number;
  readonly seed: number;
  readonly weakerSync: WeakerSync | undefined;
  readonly onRun: (run: SqliteRun) => void;
}

/** Records enough runs for the cuts. Every second run continues from a cut in the previous one. */
export async function cutSqliteRuns(options: SqliteRunsOptions): Promise<readonly SqliteRun[]> {
  const { cuts, seed, weakerSync, onRun } = options;
  const runs: SqliteRun[] = [];
  let log: string | undefined;
  for (let left = cuts; left > 0; left -= cutsPerRun) {
    const runSeed = seed + runs.length;
    const before = log !== undefined && runs.length % 2 === 1 ? cutOnce(log, runSeed) : undefined;
    log = await recordRun({
      name: `run${runs.length}`,
      seed: runSeed,
      steps: stepsPerRound,
      restarts: true,
      before,
      weakerSync,
    });
    const cut = await cutAndSaveLog(log, Math.min(left, cutsPerRun), runSeed);
    const run = { ...cut, followsCut: before !== undefined };
    runs.push(run);
    onRun(run);
  }
  return runs;
}

/** Cuts a log, checking the service after every cut. The same seed repeats the same cuts. */
export function cutSavedLog(log: string, cuts: number, seed: number): Promise<readonly Cut[]> {
  return cutRecording(log, { cuts, seed, serviceCheckEvery: 1 });
}

async function cutAndSaveLog(log: string, count: number, seed: number) {
  const cuts = await cutSavedLog(log, count, seed);
  const hasLost = cuts.some(({ problems }) => problems.length > 0);
  return { seed, cuts, savedLog: hasLost ? saveLog(log) : undefined };
}

/** Saves the log, because a run depends on the clock and its seed alone cannot reproduce it. */
function saveLog(log: string): string {
  const savedLog = join(mkdtempSync(join(tmpdir(), "ironlease-power-cut-")), "writes.log");
  copyFileSync(log, savedLog);
  return savedLog;
}
