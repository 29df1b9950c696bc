import assert from "node:assert/strict";
import { test } from "node:test";
import { currentPayment } from "./current-payment.ts";

const now = Date.parse("2026-11-15T09:30:00.000Z");
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();
const confirming = (id: string) => ({ id, state: "CONFIRMING", creditedAt: null }) as const;
const credited = (id: string, minutes: number) =>
  ({ id, state: "CREDITED", creditedAt: minutesAgo(minutes) }) as const;

test("a payment that confirms comes before one that was credited, the oldest first", () => {
  const list = [credited("c", 1), confirming("b"), confirming("a")];
  assert.equal(currentPayment(list, now)?.id, "a");
});

test("the payment that was credited last stays for an hour", () => {
  const list = [credited("new", 5), credited("late", 2), credited("old", 70)];
  assert.equal(currentPayment(list, now)?.id, "late");
  assert.equal(currentPayment([credited("old", 60)], now), undefined);
  assert.equal(currentPayment([], now), undefined);
});
