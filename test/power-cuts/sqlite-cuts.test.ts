import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { recorderUnavailableReason } from "./recorder.ts";
import { recordRun } from "./record-run.ts";
import { cutRecording } from "./sqlite-cuts.ts";

const cuts = 40;
const skip = recorderUnavailableReason() ?? false;

describe("SQLite", { skip }, () => {
  test(`${cuts} power cuts during a run lose no acknowledged change`, async () => {
    const log = await recordRun({ name: "full", seed: 2, steps: 7, restarts: true });
    const found = await cutRecording(log, { cuts, seed: 2, serviceCheckEvery: 10 });
    assert.deepEqual(
      found.filter(({ problems }) => problems.length > 0),
      [],
    );
    assert.ok(found.some(({ acknowledged }) => acknowledged > 50));
  });

  test("with synchronous NORMAL, power cuts lose acknowledged changes but damage nothing else", async () => {
    const run = {
      name: "normal",
      seed: 3,
      steps: 2,
      restarts: false,
      weakerSync: "normal",
    } as const;
    const found = await cutRecording(await recordRun(run), {
      cuts: 8,
      seed: 3,
      serviceCheckEvery: 8,
    });
    const problems = found.flatMap((cut) => cut.problems);
    assert.notEqual(problems.length, 0);
    for (const problem of problems) assert.match(problem, / was answered 20\d, but .* is missing$/);
  });
});
