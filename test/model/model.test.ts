import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { forEachEngine } from "../support/engines.ts";
import { runModel } from "./run.ts";
import { World } from "./world.ts";

/** Replay a run that failed with IRONLEASE_TEST_SEED. */
const seed = Number(process.env["IRONLEASE_TEST_SEED"] ?? randomInt(2 ** 31));

forEachEngine((engine) => {
  test("5,000 random operations say and leave what the model says, and every invariant holds", async (t) => {
    t.diagnostic(`seed ${seed}`);
    const world = await World.open(engine);
    try {
      const operations = await runModel(world, { seed, runs: 23, stepsPerRun: 200 });
      assert.ok(operations >= 5_000);
    } finally {
      await world.close();
    }
  });
});
