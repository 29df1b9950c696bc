import assert from "node:assert/strict";
import { test } from "node:test";
import { renewalUsd, restOfTermUsd } from "./renewal-price.ts";

const paidThrough = "2026-12-15T00:00:00.000Z";
const daysBefore = (days: number) => Date.parse(paidThrough) - days * 86_400_000;

test("a renewal is the price and the DDoS protection together", () => {
  assert.equal(renewalUsd({ priceUsd: 0.1, ddosUsd: 0.2 }), 0.3);
});

test("the rest of a term is rounded half up, and is nothing once the term is over", () => {
  const rest = (usd: number, days: number) =>
    restOfTermUsd(usd, { term: "monthly", paidThrough }, daysBefore(days));
  assert.deepEqual(
    [rest(50.01, 30), rest(50.01, 15), rest(50.01, 0), rest(50.01, -1)],
    [50.01, 25.01, 0, 0],
  );
  assert.equal(restOfTermUsd(7, { term: "weekly", paidThrough }, daysBefore(1)), 1);
  assert.equal(restOfTermUsd(7, { term: "weekly", paidThrough: null }, 0), 7);
});
