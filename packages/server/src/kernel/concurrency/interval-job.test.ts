import assert from "node:assert/strict";
import { test } from "node:test";
import { pauseMs } from "./interval-job.ts";

test("each failed run doubles the pause up to one minute, and a successful run resets it", () => {
  const pauses = [0, 1, 2, 3, 6, 7, 1_000].map((failed) => pauseMs(1_000, failed));
  assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 60_000, 60_000, 60_000]);
  assert.equal(pauseMs(300_000, 5), 300_000);
});
