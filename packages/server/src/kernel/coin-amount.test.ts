import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { centsOf, coinAmount, shortCoinAmount } from "./coin-amount.ts";

const units = fc.bigInt({ min: 1n, max: 10n ** 40n });
const decimals = fc.constantFrom(0, 6, 8, 12, 18);
const rate = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 0, max: 10 }))
  .map(([digits, places]) => coinAmount(digits, places));

test("an amount is written at its asset's full precision", () => {
  assert.equal(coinAmount(1_500_000n, 8), "0.01500000");
  assert.equal(coinAmount(1n, 18), "0.000000000000000001");
  assert.equal(coinAmount(2_100_000_000_000_000n, 8), "21000000.00000000");
  assert.equal(coinAmount(7n, 0), "7");
});

test("an amount for people has no trailing zeros", () => {
  assert.equal(shortCoinAmount(1_500_000_000_000_000_000n, 18), "1.5");
  assert.equal(shortCoinAmount(100_000_000n, 8), "1");
  assert.equal(shortCoinAmount(10n, 0), "10");
  assert.equal(shortCoinAmount(0n, 8), "0");
});

test("a written amount reads back to the same unit", () => {
  fc.assert(
    fc.property(units, decimals, (amount, places) => {
      const text = coinAmount(amount, places);
      assert.equal(BigInt(text.replace(".", "")), amount);
      assert.equal(text.split(".")[1]?.length ?? 0, places);
    }),
  );
});

test("the value never exceeds what was paid, and falls short by less than a cent", () => {
  fc.assert(
    fc.property(units, decimals, rate, (amount, places, usdPerCoin) => {
      const cents = centsOf(amount, places, usdPerCoin);
      assert.ok(cents !== undefined);
      // Both sides in units of the rate's last digit times the smallest unit, so that nothing is divided.
      const ratePlaces = usdPerCoin.split(".")[1]?.length ?? 0;
      const paid = amount * BigInt(usdPerCoin.replace(".", "")) * 100n;
      const cent = 10n ** BigInt(places + ratePlaces);
      assert.ok(cents * cent <= paid);
      assert.ok((cents + 1n) * cent > paid);
    }),
  );
});

test("two payments are never worth more apart than together", () => {
  fc.assert(
    fc.property(units, units, decimals, rate, (a, b, places, usdPerCoin) => {
      const worth = (amount: bigint) => centsOf(amount, places, usdPerCoin) ?? 0n;
      assert.ok(worth(a) + worth(b) <= worth(a + b));
    }),
  );
});

test("a stablecoin is worth its cents exactly", () => {
  assert.equal(centsOf(12_345_678n, 6, "1"), 1_234n);
  assert.equal(centsOf(9_999n, 6, "1"), 0n);
  assert.equal(centsOf(10_000n, 6, "1.00"), 1n);
});

test("text that is not a positive decimal is not a rate", () => {
  for (const bad of ["", "0", "0.00", "-1", "1e5", "NaN", "1,5", ".5", "1.", " 1", "1/2"]) {
    assert.equal(centsOf(1n, 8, bad), undefined, bad);
  }
});
