import assert from "node:assert/strict";
import { test } from "node:test";
import { moneyText, movementText, priceText, sumUsd } from "./money-text.ts";

test("money has cents, thousands separators and a typographic minus", () => {
  assert.equal(moneyText(1234.5), "$1,234.50");
  assert.equal(moneyText(-0.1), "−$0.10");
  assert.equal(movementText(25), "+$25.00");
  assert.equal(movementText(0), "$0.00");
  assert.equal(moneyText(999_999_999_999.99), "$999,999,999,999.99");
});

test("a price has as many decimals as it needs, and at least two", () => {
  assert.equal(priceText("94250"), "$94,250.00");
  assert.equal(priceText("0.9985"), "$0.9985");
  assert.equal(priceText("80.00"), "$80.00");
});

test("sums are exact to the cent", () => {
  assert.equal(sumUsd([0.1, 0.2]), 0.3);
  assert.equal(sumUsd([457.88, -495]), -37.12);
  assert.equal(sumUsd([]), 0);
});
