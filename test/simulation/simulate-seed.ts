import { createHash } from "node:crypto";
import { stateDigest } from "#server/features/verification/verify-invariants.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { assertFound } from "./assert-found.ts";
import { assertMatchesModel } from "./assert-matches-model.ts";
import type { RunDatabaseFactory } from "./run-database.ts";
import type { LoggedOperation } from "./model-checker.ts";
import { Run } from "./run.ts";
import { scriptOf, type Script } from "./script.ts";
import type { Tally } from "./tally.ts";

export interface RunResult {
  readonly trace: readonly string[];
  readonly log: readonly LoggedOperation[];
  readonly stateDigest: string;
}

/** A failed run, with its trace. */
export class RunFailed extends Error {
  override readonly name = "RunFailed";
  readonly trace: readonly string[];

  constructor(trace: readonly string[], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.trace = trace;
  }
}

/** Runs a script on its own database. Throws unless the final state matches the model and every invariant holds. */
export async function simulate(
  databaseFactory: RunDatabaseFactory,
  script: Script,
  tally: Tally,
): Promise<RunResult> {
  const runDatabase = await databaseFactory.next();
  const run = new Run(runDatabase, script, tally);
  try {
    await run.runToEnd();
    const { real } = run.process;
    await assertMatchesModel(real, runDatabase.fixture, run.checker.model);
    await assertInvariantsHold(real);
    const { fixture } = runDatabase;
    await assertFound(
      { ...run.process.core, db: real },
      fixture,
      run.checker.model,
      run.checker.serverIds,
    );
    for (const sale of run.checker.model.sales) tally.add("sales", sale);
    for (const { state } of run.checker.model.payouts) tally.add("payouts", state);
    for (const by of run.checker.model.broadcasts) tally.add("broadcasts", by);
    for (const event of run.checker.model.quotes) tally.add("quotes", event);
    for (const change of run.checker.model.accessChanges) tally.add("access", change);
    return { trace: run.trace, log: run.checker.log, stateDigest: await stateDigest(real) };
  } catch (error) {
    throw new RunFailed(run.trace, error);
  } finally {
    await run.close();
    await runDatabase.remove();
  }
}

export function simulateSeed(
  databaseFactory: RunDatabaseFactory,
  seed: number,
  tally: Tally,
): Promise<RunResult> {
  // On PostgreSQL, concurrent requests would wait for row locks in an order that the seed cannot decide.
  return simulate(databaseFactory, scriptOf(seed, databaseFactory.engine === "postgres"), tally);
}

export function traceHash({ trace }: RunResult): string {
  return createHash("sha256").update(trace.join("\n")).digest("hex");
}
