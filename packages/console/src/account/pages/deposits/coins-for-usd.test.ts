import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { coinsForUsd } from "./coins-for-usd.ts";

describe("coinsForUsd", () => {
  test("rounds up to the smallest unit, and only when needed", () => {
    assert.equal(coinsForUsd("100", "94250.00", 8), "0.00106101");
    assert.equal(coinsForUsd("1885", "94250.00", 8), "0.02");
    assert.equal(coinsForUsd("0.01", "94250.00", 8), "0.00000011");
    assert.equal(coinsForUsd("99.5", "3180.50", 18), "0.031284389246973747");
  });

  test("is exact where floating point is not", () => {
    assert.equal(coinsForUsd("999999999.99", "0.01", 6), "99999999999");
    assert.equal(coinsForUsd("0.30", "0.1", 18), "3");
    assert.equal(coinsForUsd("100", "1", 6), "100");
  });

  test("the amount is worth at least the USD, and one unit less is not", () => {
    for (const [usd, rate, decimals] of [
      ["100", "94250.00", 8],
      ["12.34", "312.75", 12],
      ["7", "0.999999999999999999", 6],
    ] as const) {
      const [whole = "", fraction = ""] = (coinsForUsd(usd, rate, decimals) ?? "").split(".");
      const units = BigInt(whole + fraction.padEnd(decimals, "0"));
      const [rateWhole = "", rateFraction = ""] = rate.split(".");
      const worth = (amount: bigint) => amount * BigInt(rateWhole + rateFraction);
      const wanted =
        BigInt(Math.round(Number(usd) * 100)) * 10n ** BigInt(decimals + rateFraction.length - 2);
      assert.ok(worth(units) >= wanted, usd);
      assert.ok(worth(units - 1n) < wanted, usd);
    }
  });

  test("there is no amount for an empty, zero or unfinished input", () => {
    for (const usd of ["", "0", "0.00", ".", "-1", "1e3", "1.234", "1,000"]) {
      assert.equal(coinsForUsd(usd, "94250.00", 8), undefined, usd);
    }
    assert.equal(coinsForUsd("5.", "1", 6), "5");
    for (const rate of ["", "0", "0.00", "-1", "1e5"]) {
      assert.equal(coinsForUsd("5", rate, 6), undefined, rate);
    }
  });
});
