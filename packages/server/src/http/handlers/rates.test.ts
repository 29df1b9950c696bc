import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestService } from "#test/service.ts";
import type { Rate, Settlement } from "#ports/settlement.ts";
import { rateHandlers } from "./rates.ts";

test("the preview's rates are public, with the time of each", async (t) => {
  const service = await startTestService("sqlite");
  t.after(() => service.close());
  const { status, json } = await service.send("GET", "/api/v1/rates");
  assert.equal(status, 200);
  const at = new Date(service.clock.now()).toISOString();
  assert.deepEqual(json.rates[0], { asset: "BTC", usd: "94250.00", at });
  assert.equal(json.rates.length, 6);
});

test("without settlement there is no rate", async (t) => {
  const service = await startTestService("sqlite", { settings: { IRONLEASE_SETTLEMENT: "none" } });
  t.after(() => service.close());
  const { status, json } = await service.send("GET", "/api/v1/rates");
  assert.deepEqual([status, json], [200, { rates: [] }]);
});

test("a thousand concurrent requests ask the source twice, and a later one sees the new rate", async () => {
  let asked = 0;
  const usdPerCoin = async (): Promise<Rate> => {
    asked += 1;
    return { rate: `${asked}.00`, at: 0, sources: ["a source"] };
  };
  const terms = { decimals: 8, confirmations: [{ fromCents: 0, needed: 1 }] };
  const settlement = { mode: "TEST", chains: [{ assets: new Map([["LTC", terms]]) }] };
  const { listRates } = rateHandlers({
    settlement: settlement as unknown as Settlement,
    rates: { maxAgeMs: 1_000, answerMs: 1_000, usdPerCoin },
    clock: { now: () => 0 },
  });
  const call = {} as Parameters<typeof listRates>[0];
  await Promise.all(Array.from({ length: 1_000 }, () => listRates(call)));
  assert.equal(asked, 2);
  const answer = await listRates(call);
  assert.ok(answer.ok);
  assert.equal(answer.value.body.rates[0]?.usd, "3.00");
});
