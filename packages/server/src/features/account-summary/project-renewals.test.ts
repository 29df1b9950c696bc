import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs, monthlyCents, projectRenewals, type RenewingServer } from "./project-renewals.ts";

const now = Date.parse("2026-11-15T09:30:00.000Z");
const midnight = Date.parse("2026-11-15T00:00:00.000Z");
const daysOn = (days: number) => now + days * dayMs;

const weekly: RenewingServer = {
  id: "srv_w",
  term: "weekly",
  cents: 1_010,
  paidThrough: daysOn(3),
};
const monthly: RenewingServer = {
  id: "srv_m",
  term: "monthly",
  cents: 5_000,
  paidThrough: daysOn(5),
};

test("the balance ends at the first renewal that it does not cover, to the cent", () => {
  // 10.10 on day 3, 50 on day 5, 10.10 on day 10, 10.10 on day 17.
  const uncovered = (cents: number) => projectRenewals([monthly, weekly], cents, now).uncovered;
  assert.deepEqual(uncovered(7_020), { server: weekly, at: daysOn(17) });
  assert.deepEqual(uncovered(7_019), { server: weekly, at: daysOn(10) });
  assert.deepEqual(uncovered(0), { server: weekly, at: daysOn(3) });
});

test("renewals of one moment are charged in the order of their ids, as the renewals pass does", () => {
  const pair = ["srv_b", "srv_a"].map((id) => ({ ...monthly, id }));
  assert.equal(projectRenewals(pair, 5_000, now).uncovered?.server.id, "srv_b");
  assert.equal(projectRenewals(pair, 4_999, now).uncovered?.server.id, "srv_a");
});

test("a large balance or no server leaves nothing uncovered", () => {
  assert.equal(projectRenewals([monthly, weekly], 100_000_000, now).uncovered, undefined);
  assert.deepEqual(projectRenewals([], 0, now), { days: [], uncovered: undefined });
});

test("days have the sums of their renewals, and overdue periods count as today's", () => {
  const overdue: RenewingServer = { ...weekly, id: "srv_o", paidThrough: daysOn(-8) };
  const { days } = projectRenewals([overdue, { ...monthly, paidThrough: daysOn(6) }], 0, now);
  assert.deepEqual(days.slice(0, 2), [
    { at: midnight, count: 2, cents: 2_020 },
    { at: midnight + 6 * dayMs, count: 2, cents: 6_010 },
  ]);
  assert.ok(days.every(({ at }) => at < midnight + 400 * dayMs));
});

test("a month is 30 days, so a weekly price counts 30/7 times, rounded half up once", () => {
  assert.equal(monthlyCents([monthly]), 5_000);
  assert.equal(monthlyCents([weekly]), 4_329);
  assert.equal(monthlyCents([{ term: "weekly", cents: 7 }, weekly, monthly]), 9_359);
  assert.equal(monthlyCents([]), 0);
});
