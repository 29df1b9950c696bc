import assert from "node:assert/strict";
import { test } from "node:test";
import { moneyText, movementText, sumUsd } from "./money-text.ts";

test("money has cents, thousands separators and a typographic minus", () => {
  assert.equal(moneyText(1234.5), "$1,234.50");
  assert.equal(moneyText(-0.1), "−$0.10");
  assert.equal(movementText(25), "+$25.00");
  assert.equal(movementText(0), "$0.00");
  assert.equal(moneyText(999_999_999_999.99), "$999,999,999,999.99");
});

test("sums are exact to the cent", () => {
  assert.equal(sumUsd([0.1, 0.2]), 0.3);
  assert.equal(sumUsd([457.88, -495]), -37.12);
  assert.equal(sumUsd([]), 0);
});
