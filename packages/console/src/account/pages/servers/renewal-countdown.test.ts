import assert from "node:assert/strict";
import { test } from "node:test";
import { renewalCountdown } from "./renewal-countdown.ts";

const now = Date.parse("2026-11-18T12:00:00.000Z");
const paidThrough = "2026-11-30T16:00:00.000Z";
const active = { state: "ACTIVE", paidThrough, graceUntil: null, autoRenew: true } as const;

test("the countdown says whether the server renews or ends, and what is urgent", () => {
  assert.deepEqual(renewalCountdown(active, now), {
    text: "Renews in 12 d 4 h",
    at: paidThrough,
    isUrgent: false,
  });
  assert.equal(renewalCountdown({ ...active, autoRenew: false }, now).isUrgent, true);
  assert.equal(renewalCountdown({ ...active, paidThrough: null }, now).text, "Starts at delivery");
  assert.equal(renewalCountdown(active, Date.parse(paidThrough)).text, "Due now");
});

test("a server in its grace period counts down to the end of it", () => {
  const graceUntil = "2026-11-18T13:30:00.000Z";
  const grace = { ...active, state: "GRACE", graceUntil } as const;
  assert.equal(renewalCountdown(grace, now).text, "Ends in 1 h 30 min");
  assert.equal(renewalCountdown(grace, Date.parse(graceUntil)).text, "Grace period over");
});
