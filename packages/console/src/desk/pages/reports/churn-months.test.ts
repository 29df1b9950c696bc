import assert from "node:assert/strict";
import { test } from "node:test";
import { churnMonths } from "./churn-months.ts";

const month = (name: string, delivered: number) => ({
  month: name,
  atStart: 0,
  delivered,
  ended: 0,
  churnPercent: null,
});
const namesOf = (...months: readonly ReturnType<typeof month>[]) =>
  churnMonths(months).map(({ month: name }) => name);

test("months before the first server are left out, and the newest is first", () => {
  assert.deepEqual(namesOf(month("2026-08", 0), month("2026-09", 2), month("2026-10", 0)), [
    "2026-10",
    "2026-09",
  ]);
});

test("without servers only the current month is shown", () => {
  assert.deepEqual(namesOf(month("2026-09", 0), month("2026-10", 0)), ["2026-10"]);
});
