import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { whyNoRecorder } from "./recorder.ts";
import { recordRun } from "./record-run.ts";
import { cutRecording } from "./sqlite-cuts.ts";

const cuts = 40;
const skip = whyNoRecorder() ?? false;

describe("SQLite", { skip }, () => {
  test(`the power goes at ${cuts} moments of a run: nothing acknowledged is lost`, async () => {
    const log = await recordRun({ name: "full", seed: 2, steps: 7, restarts: true });
    const found = await cutRecording(log, { cuts, seed: 2, asksEvery: 10 });
    assert.deepEqual(
      found.filter(({ problems }) => problems.length > 0),
      [],
    );
    assert.ok(found.some(({ acknowledged }) => acknowledged > 50));
  });

  test("with synchronous NORMAL such cuts lose what was acknowledged, and no more than that", async () => {
    const run = { name: "normal", seed: 3, steps: 2, restarts: false, weakness: "normal" } as const;
    const found = await cutRecording(await recordRun(run), { cuts: 8, seed: 3, asksEvery: 8 });
    const problems = found.flatMap((cut) => cut.problems);
    assert.notEqual(problems.length, 0);
    for (const problem of problems) assert.match(problem, / was answered 20\d, but .* is missing$/);
  });
});
