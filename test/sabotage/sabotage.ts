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
  /** How many copies are tried at once. */
  readonly atOnce: number;
  /** Undefined where no test needs one. */
  readonly postgresUrl?: string;
  /** A file whose tests pass without any bug. */
  readonly onSound?: (file: string, run: TestRun) => void;
  readonly onTrial?: (trial: Trial) => void;
}

/**
 * Plants one bug after another in a copy and runs the tests that should notice; before that, the same
 * tests on the copy as it is, since a test that fails anyway notices nothing.
 */
export async function sabotage(options: SabotageOptions): Promise<readonly Trial[]> {
  const { bugs, atOnce, postgresUrl, onSound, onTrial } = options;
  const files = [...new Set(bugs.flatMap(({ tests }) => tests))];
  const copies: ScratchCopy[] = [];
  try {
    for (let made = 0; made < atOnce; made += 1) copies.push(await makeScratchCopy());
    await shareOut(copies, files, async ({ root }, file) => {
      const run = await runTests(root, [file], postgresUrl);
      requireSound(file, run);
      onSound?.(file, run);
    });
    return await shareOut(copies, bugs, async (copy, bug) => {
      const trial = await tryBug(copy, bug, postgresUrl);
      onTrial?.(trial);
      return trial;
    });
  } finally {
    await Promise.all(copies.map((copy) => copy.remove()));
  }
}

/** Each copy takes the next piece when it is done with one; what comes of them is in their order. */
async function shareOut<T, Outcome>(
  copies: readonly ScratchCopy[],
  pieces: readonly T[],
  work: (copy: ScratchCopy, piece: T) => Promise<Outcome>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const errors: unknown[] = [];
  const waiting = pieces.entries();
  const lane = async (copy: ScratchCopy): Promise<void> => {
    for (const [index, piece] of waiting) {
      if (errors.length > 0) return;
      outcomes[index] = await work(copy, piece);
    }
  };
  // Nobody may still be at work in a copy when it is removed.
  await Promise.all(copies.map((copy) => lane(copy).catch((error: unknown) => errors.push(error))));
  if (errors.length > 0) throw errors[0];
  return outcomes;
}

function requireSound(file: string, { ends, isGreen }: TestRun): void {
  const failed = ends.find(({ end }) => end === "assertion failed" || end === "broke");
  if (failed === undefined && isGreen) return;
  const what = failed === undefined ? file : `${failed.title}: ${failed.message ?? ""}`;
  throw new Error(`without any bug the tests fail already: ${what}`);
}

async function tryBug(
  copy: ScratchCopy,
  bug: PlantedBug,
  postgresUrl: string | undefined,
): Promise<Trial> {
  const takeOut = await copy.plant([bug]);
  try {
    const run = await runTests(copy.root, bug.tests, postgresUrl);
    return { bug, verdict: verdictOf(run), ms: run.ms };
  } finally {
    await takeOut();
  }
}
