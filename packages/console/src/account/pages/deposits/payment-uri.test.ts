import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { paymentUri } from "./payment-uri.ts";

type Address = Parameters<typeof paymentUri>[0];

const on = (asset: Address["asset"], network: string, mode: Address["mode"] = "LIVE") => ({
  address: "addr1",
  asset,
  network,
  mode,
});

describe("paymentUri", () => {
  test("BTC and LTC have the amount, if there is one", () => {
    assert.equal(paymentUri(on("BTC", "bitcoin"), "0.02"), "bitcoin:addr1?amount=0.02");
    assert.equal(paymentUri(on("BTC", "bitcoin"), undefined), "bitcoin:addr1");
    assert.equal(paymentUri(on("LTC", "litecoin"), "1"), "litecoin:addr1?amount=1");
  });

  test("XMR and ETH have the address only", () => {
    assert.equal(paymentUri(on("XMR", "monero"), "1"), "monero:addr1");
    assert.equal(paymentUri(on("ETH", "ethereum"), "1"), "ethereum:addr1");
  });

  test("an address on a test chain names the chain, so that no wallet sends real ETH to it", () => {
    const test = on("ETH", "ethereum-31337", "TEST");
    assert.equal(paymentUri(test, undefined), "ethereum:addr1@31337");
  });

  test("tokens and simulated addresses have no URI", () => {
    assert.equal(paymentUri(on("USDC", "ethereum"), "5"), undefined);
    assert.equal(paymentUri(on("USDT", "ethereum"), undefined), undefined);
    assert.equal(paymentUri(on("BTC", "bitcoin", "SIMULATED"), "0.02"), undefined);
  });
});
