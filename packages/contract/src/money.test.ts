import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { centsFromUsd, maxCents, rateFromUnits, rateUnits, usdFromCents } from "./money.ts";

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

test("a rate has one way to be written, whatever zeros it was sent with", () => {
  const written = ["80", "80.0", "80.000", "0.5", "0.123450", `0.${"0".repeat(17)}1`].map((text) =>
    rateFromUnits(rateUnits(text) ?? 0n),
  );
  assert.deepEqual(written, [
    ...["80.00", "80.00", "80.00", "0.50", "0.12345", `0.${"0".repeat(17)}1`],
  ]);
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n - 1n }), (units) => {
      assert.equal(rateUnits(rateFromUnits(units)), units);
    }),
  );
});

test("a rate is a plain decimal above zero", () => {
  const wrong = [
    "",
    "0",
    "0.00",
    "-1",
    "+1",
    " 1",
    "1 ",
    "1e5",
    "NaN",
    "Infinity",
    "0x1",
    "01",
    ".5",
  ];
  for (const text of [...wrong, "5.", "1,5", "١", "1000000000000", `0.${"0".repeat(18)}1`]) {
    assert.equal(rateUnits(text), undefined, text);
  }
});
