import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  SettlementFailed,
  SettlementUnavailable,
  type Asset,
  type Rate,
  type Rates,
} from "#ports/settlement.ts";
import { freshRate } from "./fresh-rate.ts";

const now = Date.UTC(2026, 10, 15, 9, 30);
const clock = { now: () => now };
const maxAgeMs = 600_000;

const ask = (given: Partial<Rate>, asset: Asset = "LTC") => {
  const rate: Rate = { rate: "80.00", at: now, sources: ["a source"], ...given };
  const rates: Rates = { maxAgeMs, answerMs: 1_000, usdPerCoin: async () => rate };
  return freshRate({ rates, clock }, asset);
};
const expired = { name: "SettlementUnavailable", message: /has expired/ };

describe("a rate that is used", () => {
  test("is at most as old as the source allows, to the millisecond", async () => {
    assert.equal((await ask({ at: now - maxAgeMs })).rate, "80.00");
    await assert.rejects(ask({ at: now - maxAgeMs - 1 }), expired);
  });

  test("is never three years old, even if the source says that it is valid", async () => {
    const old = { at: Date.UTC(2023, 10, 14), validUntil: now + 1 };
    await assert.rejects(ask(old), expired);
  });

  test("is at most one minute ahead of our clock", async () => {
    assert.equal((await ask({ at: now + 60_000 })).at, now + 60_000);
    const refused = { name: "SettlementFailed", message: /from the future/ };
    await assert.rejects(ask({ at: now + 60_001 }), refused);
  });

  test("is used until it is no longer valid, and not after", async () => {
    assert.equal((await ask({ validUntil: now })).validUntil, now);
    await assert.rejects(ask({ validUntil: now - 1 }), expired);
  });

  test("is a plain decimal above zero", async () => {
    for (const rate of ["0", "0.00", "-1", "1e5", "NaN", "Infinity", "", " 80", "80 ", "0x50"]) {
      await assert.rejects(ask({ rate }), SettlementFailed, rate);
    }
  });

  test("is written with at least two decimals, however its source writes it", async () => {
    const used = await Promise.all(["80", "80.5", "80.500"].map((rate) => ask({ rate })));
    assert.deepEqual(
      used.map(({ rate }) => rate),
      ["80.00", "80.50", "80.50"],
    );
  });

  test("has a source", async () => {
    await assert.rejects(freshRate({ rates: undefined, clock }, "LTC"), SettlementUnavailable);
  });
});

describe("the rate of a stablecoin", () => {
  for (const asset of ["USDC", "USDT"] as const) {
    test(`${asset} is never worth more than 1 USD`, async () => {
      const rates = ["1.10", "1.000001", "1", "0.99", "0.98"];
      const used = await Promise.all(rates.map(async (rate) => (await ask({ rate }, asset)).rate));
      assert.deepEqual(used, ["1.00", "1.00", "1.00", "0.99", "0.98"]);
    });

    test(`${asset} is not credited once it has lost its peg`, async () => {
      for (const rate of ["0.979999", "0.5", "0.01"]) {
        await assert.rejects(ask({ rate }, asset), {
          name: "SettlementUnavailable",
          message: /is below 0\.98 USD/,
        });
      }
    });

    test(`${asset} below its peg is worth what an operator decides`, async () => {
      const used = await ask({ rate: "0.90", isSetByOperator: true }, asset);
      assert.equal(used.rate, "0.90");
    });
  }

  test("other assets may be worth less than 1 USD, and keep their rate", async () => {
    assert.equal((await ask({ rate: "0.50" })).rate, "0.50");
  });
});
