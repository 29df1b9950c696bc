import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { Coverage } from "./coverage.ts";
import { fuzz } from "./fuzz.ts";

/** To replay a failed run, set IRONLEASE_TEST_SEED. */
const seed = Number(process.env["IRONLEASE_TEST_SEED"] ?? randomInt(2 ** 31));

/** SQLite gets more requests, because it is faster. */
const shares = [
  ["sqlite", 7_000],
  ["postgres", 3_000],
] as const;

/**
 * An operation called at least a hundred times must have refused for at least one reason. Requiring more would fail
 * at random: public reads refuse one request in ten, mostly for the same two reasons. The long run requires more.
 */
const shortRunRequirements = [1, 100] as const;

/** Of both engines together: the share of one would miss a rarely successful operation now and then. */
const coverage = new Coverage();

for (const [engine, requests] of shares) {
  test(`${engine}: ${requests} valid and invalid requests get answers that match the OpenAPI documents, and every invariant holds`, async (t) => {
    t.diagnostic(`seed ${seed}`);
    const { failures } = await fuzz({ engine, seed, requests, coverage });
    assert.deepEqual(failures, [], failures.join("\n"));
  });
}

test("every operation has succeeded and refused", (t) => {
  t.diagnostic(coverage.summary());
  const gaps = coverage.gaps(...shortRunRequirements);
  assert.deepEqual(gaps, [], [...gaps, ...coverage.table()].join("\n"));
});
