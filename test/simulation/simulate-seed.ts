import { createHash } from "node:crypto";
import { stateDigest } from "#server/features/verification/verify-invariants.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { assertSame } from "./assert-same.ts";
import type { Grounds } from "./ground.ts";
import type { Logged } from "./judge.ts";
import { Run } from "./run.ts";
import { scriptOf, type Script } from "./script.ts";
import type { Tally } from "./tally.ts";

/** What a run came to. */
export interface Ended {
  readonly trace: readonly string[];
  readonly log: readonly Logged[];
  readonly stateDigest: string;
}

/** A run that the service did not pass, with what happened in it. */
export class Failed extends Error {
  override readonly name = "Failed";
  readonly trace: readonly string[];

  constructor(trace: readonly string[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.trace = trace;
  }
}

/** One run on ground of its own: its end is what the model says, and every invariant holds. */
export async function simulate(grounds: Grounds, script: Script, tally: Tally): Promise<Ended> {
  const ground = await grounds.next();
  const run = new Run(ground, script, tally);
  try {
    await run.toTheEnd();
    const { real } = run.process;
    await assertSame(real, ground.cast, run.judge.model);
    await assertInvariantsHold(real);
    return { trace: run.trace, log: run.judge.log, stateDigest: await stateDigest(real) };
  } catch (error) {
    throw new Failed(run.trace, error);
  } finally {
    await run.close();
    await ground.remove();
  }
}

export function simulateSeed(grounds: Grounds, seed: number, tally: Tally): Promise<Ended> {
  // On PostgreSQL several would wait for each other's rows where no seed decides who goes first.
  return simulate(grounds, scriptOf(seed, grounds.engine === "postgres"), tally);
}

export function traceHash({ trace }: Ended): string {
  return createHash("sha256").update(trace.join("\n")).digest("hex");
}
