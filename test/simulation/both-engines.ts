import assert from "node:assert/strict";
import type { Grounds } from "./ground.ts";
import type { Logged } from "./judge.ts";
import { scriptOfLog } from "./script.ts";
import { simulate } from "./simulate-seed.ts";
import type { Tally } from "./tally.ts";

/** The same operations one after the other on each engine: both say and leave the same. */
export async function assertEnginesEndEqual(
  engines: readonly Grounds[],
  log: readonly Logged[],
  tally: Tally,
): Promise<void> {
  const digests: string[] = [];
  for (const grounds of engines) {
    digests.push((await simulate(grounds, scriptOfLog(log), tally)).stateDigest);
  }
  assert.equal(new Set(digests).size, 1, "the engines end in different states");
}
