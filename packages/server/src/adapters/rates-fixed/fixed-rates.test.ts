import assert from "node:assert/strict";
import { test } from "node:test";
import { SettlementUnavailable } from "#ports/settlement.ts";
import { createFixedRates } from "./fixed-rates.ts";

const clock = { now: () => 1_000 };
const { signal } = new AbortController();

test("a fixed rate is as configured and of this moment, and other assets have none", async () => {
  const rates = createFixedRates({ LTC: "80.00" }, "TEST", clock);
  assert.deepEqual(await rates.usdPerCoin("LTC", signal), {
    rate: "80.00",
    at: 1_000,
    sources: ["fixed"],
  });
  await assert.rejects(rates.usdPerCoin("BTC", signal), SettlementUnavailable);
});

test("fixed rates are refused on real chains, and so is a price that is not a positive decimal", () => {
  assert.throws(() => createFixedRates({ LTC: "80.00" }, "LIVE", clock), /test chains only/);
  for (const rate of ["0", "-1", "1e5", "NaN", ""]) {
    assert.throws(() => createFixedRates({ LTC: rate }, "TEST", clock), /LTC must be a decimal/);
  }
});
