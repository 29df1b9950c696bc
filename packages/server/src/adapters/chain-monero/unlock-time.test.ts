import assert from "node:assert/strict";
import { test } from "node:test";
import { isLocked } from "./unlock-time.ts";

const now = { tip: { height: 99, hash: "" }, time: 1_800_000_000 };

test("below 500 million an unlock time is the height of the first block that can spend", () => {
  const locked = [0n, 100n, 101n, 499_999_999n].map((unlockTime) => isLocked(unlockTime, now));
  assert.deepEqual(locked, [false, false, true, true]);
});

test("from 500 million on an unlock time is a time", () => {
  const times = [500_000_000n, 1_800_000_000n, 1_800_000_001n, 2n ** 64n - 1n];
  const locked = times.map((unlockTime) => isLocked(unlockTime, now));
  assert.deepEqual(locked, [false, false, true, true]);
});
