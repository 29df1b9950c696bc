import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  SettlementUnavailable,
  type Asset,
  type Chain,
  type Rate,
  type Settlement,
} from "#ports/settlement.ts";
import { listFreshRates } from "./list-fresh-rates.ts";

const now = Date.UTC(2026, 10, 15, 9, 30);
const clock = { now: () => now };
const maxAgeMs = 600_000;

function connecting(...assets: readonly Asset[]): Settlement {
  const terms = { decimals: 8, confirmations: [{ fromCents: 0, needed: 1 }] };
  const chain = { assets: new Map(assets.map((asset) => [asset, terms])) } as unknown as Chain;
  return { mode: "TEST", chains: [chain] };
}

function listed(settlement: Settlement | undefined, given: Partial<Record<Asset, Partial<Rate>>>) {
  const usdPerCoin = async (asset: Asset): Promise<Rate> => {
    if (given[asset] === undefined) throw new SettlementUnavailable(`no rate of ${asset}`);
    return { rate: "80.00", at: now, sources: ["a source"], ...given[asset] };
  };
  return listFreshRates({ settlement, rates: { maxAgeMs, answerMs: 1_000, usdPerCoin }, clock });
}

describe("the listed rates", () => {
  test("are those of connected assets, in the order of the contract", async () => {
    const given = { LTC: {}, BTC: { rate: "94250.00" }, XMR: {} };
    assert.deepEqual(await listed(connecting("LTC", "BTC"), given), [
      { asset: "BTC", usd: "94250.00", at: now },
      { asset: "LTC", usd: "80.00", at: now },
    ]);
  });

  test("leave out a rate that is missing, too old or expired, and keep the others", async () => {
    const given = { LTC: { at: now - maxAgeMs - 1 }, XMR: { validUntil: now - 1 }, ETH: {} };
    const rates = await listed(connecting("BTC", "LTC", "XMR", "ETH"), given);
    assert.deepEqual(
      rates.map(({ asset }) => asset),
      ["ETH"],
    );
  });

  test("are none without settlement or without a source", async () => {
    assert.deepEqual(await listed(undefined, { BTC: {} }), []);
    const settlement = connecting("BTC");
    assert.deepEqual(await listFreshRates({ settlement, rates: undefined, clock }), []);
  });

  test("are not empty because of a bug or an outage: the request fails", async () => {
    const usdPerCoin = () => Promise.reject(new Error("the database is down"));
    const rates = { maxAgeMs, answerMs: 1_000, usdPerCoin };
    await assert.rejects(listFreshRates({ settlement: connecting("BTC"), rates, clock }), /down/);
  });
});
