import type { PlantedBug } from "./planted-bug.ts";
import { runTests, type TestRun } from "./run-tests.ts";
import { makeScratchCopy, type ScratchCopy } from "./scratch-copy.ts";
import { verdictOf, type Verdict } from "./verdict.ts";

export interface Trial {
  readonly bug: PlantedBug;
  readonly verdict: Verdict;
  readonly ms: number;
}

export interface SabotageOptions {
  readonly bugs: readonly PlantedBug[];
  /** Number of copies in which tests run concurrently. */
  readonly concurrency: number;
  /** Not needed when no test uses PostgreSQL. */
  readonly postgresUrl?: string;
  /** Called for each test file that passes without any bug. */
  readonly onPassing?: (file: string, run: TestRun) => void;
  readonly onTrial?: (trial: Trial) => void;
}

/**
 * Plants one bug after another in a copy of the repository and runs the tests that should catch it. First runs the
 * same tests without any bug, because a test that fails anyway proves nothing.
 */
export async function sabotage(options: SabotageOptions): Promise<readonly Trial[]> {
  const { bugs, concurrency, postgresUrl, onPassing, onTrial } = options;
  const files = [...new Set(bugs.flatMap(({ tests }) => tests))];
  const copies: ScratchCopy[] = [];
  try {
    for (let count = 0; count < concurrency; count += 1) copies.push(await makeScratchCopy());
    await runOnCopies(copies, files, async ({ root }, file) => {
      const run = await runTests(root, [file], postgresUrl);
      requirePassing(file, run);
      onPassing?.(file, run);
    });
    return await runOnCopies(copies, bugs, async (copy, bug) => {
      const trial = await tryBug(copy, bug, postgresUrl);
      onTrial?.(trial);
      return trial;
    });
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()));
  }
}

/** A worker pool with one worker per copy. Returns the outcomes in the order of the items. */
async function runOnCopies<T, Outcome>(
  copies: readonly ScratchCopy[],
  items: readonly T[],
  work: (copy: ScratchCopy, item: T) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const errors: unknown[] = [];
  const queue = items.entries();
  const runWorker = async (copy: ScratchCopy): Promise<void> => {
    for (const [index, item] of queue) {
      if (errors.length > 0) return;
      outcomes[index] = await work(copy, item);
    }
  };
  // Wait for every worker, because the caller removes the copies.
  await Promise.all(
    copies.map((copy) => runWorker(copy).catch((error: unknown) => errors.push(error))),
  );
  if (errors.length > 0) throw errors[0];
  return outcomes;
}

function requirePassing(file: string, { outcomes, hasPassed }: TestRun): void {
  const failed = outcomes.find(({ end }) => end === "assertion failed" || end === "broke");
  if (failed === undefined && hasPassed) return;
  const failure = failed === undefined ? file : `${failed.title}: ${failed.message ?? ""}`;
  throw new Error(`The tests fail without any bug: ${failure}`);
}

async function tryBug(
  copy: ScratchCopy,
  bug: PlantedBug,
  postgresUrl: string | undefined,
): Promise<Trial> {
  const removeBug = await copy.plant([bug]);
  try {
    const run = await runTests(copy.root, bug.tests, postgresUrl);
    return { bug, verdict: verdictOf(run), ms: run.ms };
  } finally {
    await removeBug();
  }
}
