import assert from "node:assert/strict";
import type { RunDatabaseFactory } from "./run-database.ts";
import type { LoggedOperation } from "./model-checker.ts";
import { scriptOfLog } from "./script.ts";
import { simulate } from "./simulate-seed.ts";
import type { Tally } from "./tally.ts";

/** Runs the logged operations in sequence on each engine. Both must end in the same state. */
export async function assertEnginesAgree(
  engines: readonly RunDatabaseFactory[],
  log: readonly LoggedOperation[],
  tally: Tally,
): Promise<void> {
  const digests: string[] = [];
  for (const databaseFactory of engines) {
    digests.push((await simulate(databaseFactory, scriptOfLog(log), tally)).stateDigest);
  }
  assert.equal(new Set(digests).size, 1, "the engines ended in different states");
}
