import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { centsFromUsd, maxCents, usdFromCents } from "./money.ts";

test("cents round-trip through the wire format as numbers and as strings", () => {
  fc.assert(
    fc.property(fc.integer({ min: -maxCents, max: maxCents }), (cents) => {
      const usd = usdFromCents(cents);
      assert.equal(centsFromUsd(usd), cents);
      assert.equal(centsFromUsd(usd.toFixed(2)), cents === 0 ? 0 : cents);
    }),
  );
});

test("a third decimal is rejected, not rounded", () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000 }), fc.integer({ min: 1, max: 9 }), (whole, third) => {
      assert.equal(centsFromUsd(`${whole}.00${third}`), undefined);
      assert.equal(centsFromUsd(Number(`${whole}.00${third}`)), undefined);
    }),
  );
});

test("only plain decimal notation is an amount", () => {
  for (const text of ["", " 1", "1 ", "1e2", "0x1", "+1", "01", ".5", "5.", "1,5", "NaN", "١"]) {
    assert.equal(centsFromUsd(text), undefined, text);
  }
  for (const number of [Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e-7]) {
    assert.equal(centsFromUsd(number), undefined);
  }
});

test("any string parses to cents within bounds or to undefined", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.double(), fc.double().map(String)), (usd) => {
      const cents = centsFromUsd(usd);
      if (cents !== undefined) {
        assert.ok(Number.isSafeInteger(cents) && Math.abs(cents) <= maxCents);
      }
    }),
  );
});
