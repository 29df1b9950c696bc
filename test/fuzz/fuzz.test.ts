import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { Coverage } from "./coverage.ts";
import { fuzz } from "./fuzz.ts";

/** Replay a run that failed with IRONLEASE_TEST_SEED. */
const seed = Number(process.env["IRONLEASE_TEST_SEED"] ?? randomInt(2 ** 31));

/** Both engines behind the same listeners: the one that costs less takes the larger share. */
const shares = [
  ["sqlite", 7_000],
  ["postgres", 3_000],
] as const;

/**
 * One reason to refuse, of whoever was asked a hundred times. More would fail by chance: what anybody may read is
 * refused for one request in ten, mostly for the same two reasons. The long run asks for more.
 */
const asksOfAShortRun = [1, 100] as const;

for (const [engine, requests] of shares) {
  test(`${requests} requests, right and wrong, to ${engine}: every answer is as the OpenAPI documents say, nothing hangs, every invariant holds`, async (t) => {
    t.diagnostic(`seed ${seed}`);
    const coverage = new Coverage();
    const { failures } = await fuzz({ engine, seed, requests, coverage });
    assert.deepEqual(failures, [], failures.join("\n"));
    t.diagnostic(coverage.summary());
    assert.deepEqual(coverage.shortcomings(...asksOfAShortRun), [], coverage.table().join("\n"));
  });
}
