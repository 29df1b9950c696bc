import assert from "node:assert/strict";
import { test } from "node:test";
import { assets } from "@ironlease/contract";
import { amountText, coinText } from "./coin-text.ts";

test("units become whole coins without trailing zeros", () => {
  assert.equal(coinText(150_000_000n, "LTC"), "1.5 LTC");
  assert.equal(coinText(0n, "BTC"), "0 BTC");
  assert.equal(coinText(-1_000n, "LTC"), "-0.00001 LTC");
  assert.equal(coinText(1n, "ETH"), "0.000000000000000001 ETH");
  assert.equal(coinText(12_345_000_000n, "USDT"), "12345 USDT");
});

test("amounts of the API lose their trailing zeros", () => {
  assert.equal(amountText("1.500000000000000000"), "1.5");
  assert.equal(amountText("100.00000000"), "100");
  assert.equal(amountText("0.00010000"), "0.0001");
  assert.equal(amountText("100"), "100");
});

test("every asset has its decimals", () => {
  const shown = assets.map((asset) => coinText(1n, asset));
  for (const text of shown) assert.match(text, /^0\.0+1 /);
});
