import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { unitsOf } from "./amounts.ts";

const read = (json: string) => unitsOf(JSON.parse(json));

test("amounts are exact from the smallest unit up to all bitcoins", () => {
  assert.equal(read("0.00000001"), 1n);
  assert.equal(read("1e-8"), 1n);
  assert.equal(read("0.00000000"), 0n);
  assert.equal(read("0.29000000"), 29_000_000n);
  assert.equal(read("20999999.99999999"), 2_099_999_999_999_999n);
  assert.equal(read("21000000.00000000"), 2_100_000_000_000_000n);
  assert.equal(read("67108863.99999999"), 6_710_886_399_999_999n);
});

test("every amount that a node can print is read to the unit", () => {
  const units = fc.bigInt({ min: 0n, max: 6_710_886_399_999_999n });
  fc.assert(
    fc.property(units, (expected) => {
      const digits = String(expected).padStart(9, "0");
      assert.equal(read(`${digits.slice(0, -8)}.${digits.slice(-8)}`), expected);
    }),
    { numRuns: 2000 },
  );
});

test("values that are no exact amount are refused", () => {
  for (const json of ["-0.00000001", "67108864", "1e300", '"1.0"', "null", "true", "{}"]) {
    assert.equal(read(json), undefined, json);
  }
  assert.equal(unitsOf(Number.NaN), undefined);
  assert.equal(unitsOf(undefined), undefined);
});
