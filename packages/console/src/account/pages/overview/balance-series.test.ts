import assert from "node:assert/strict";
import { test } from "node:test";
import { moneyText } from "#ui/money-text.ts";
import { balanceSeries, pointText, seriesText } from "./balance-series.ts";

const dayMs = 86_400_000;
const today = Date.parse("2026-11-15");
const day = (offset: number) => new Date(today + offset * dayMs).toISOString().slice(0, 10);
const summary = {
  balanceUsd: 100.3,
  balances: Array.from({ length: 90 }, (_, index) => ({ day: day(index - 90), usd: index })),
  renewals: [
    { day: day(0), count: 1, usd: 0.1 },
    { day: day(2), count: 2, usd: 60.2 },
    { day: day(3), count: 1, usd: 50 },
    { day: day(89), count: 1, usd: 1 },
  ],
};

test("past days, today and as many days ahead, each day once", () => {
  for (const range of [30, 90] as const) {
    const points = balanceSeries(summary, range);
    assert.deepEqual(
      points.map(({ at }) => (at - today) / dayMs),
      Array.from({ length: 2 * range + 1 }, (_, index) => index - range),
    );
    assert.equal(points[0]?.usd, 90 - range);
  }
});

test("the projection subtracts each day's renewals, to the cent and below zero", () => {
  const ahead = balanceSeries(summary, 30).slice(30, 35);
  assert.deepEqual(
    ahead.map(({ usd, kind }) => [usd, kind]),
    [
      [100.3, "now"],
      [100.2, "projected"],
      [40, "projected"],
      [-10, "projected"],
      [-10, "projected"],
    ],
  );
});

test("a day is described by its balance and renewals", () => {
  const points = balanceSeries(summary, 30);
  const text = (index: number) => pointText(points[index]!, moneyText);
  assert.equal(text(29), "14 Nov 2026: $89.00");
  assert.equal(text(30), "15 Nov 2026: $100.30 now, 1 renewal for $0.10");
  assert.equal(text(32), "17 Nov 2026: $40.00 projected, 2 renewals for $60.20");
  assert.equal(
    seriesText(points, moneyText),
    "Balance over the last 30 days: between $60.00 and $100.30, now $100.30. " +
      "Projected after the renewals of the next 30 days: −$10.00.",
  );
});
