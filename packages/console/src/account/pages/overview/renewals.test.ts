import assert from "node:assert/strict";
import { test } from "node:test";
import { coverage, renewalsAhead } from "./renewals.ts";

const now = Date.parse("2026-11-15T00:00:00.000Z");
const day = 86_400_000;
const at = (days: number) => new Date(now + days * day).toISOString();

const weekly = {
  id: "srv_w",
  state: "ACTIVE",
  term: "weekly",
  priceUsd: 10,
  ddosUsd: 0.1,
  autoRenew: true,
  paidThrough: at(3),
} as const;
const monthly = {
  ...weekly,
  id: "srv_m",
  term: "monthly",
  priceUsd: 50,
  ddosUsd: 0,
  paidThrough: at(5),
} as const;

test("servers that are undelivered, suspended or not on automatic renewal do not renew", () => {
  const servers = [
    { ...weekly, autoRenew: false },
    { ...weekly, state: "PROVISIONING", paidThrough: null } as const,
    { ...weekly, state: "SUSPENDED" } as const,
  ];
  assert.deepEqual(renewalsAhead(servers), []);
  assert.deepEqual(coverage(100, servers, now), { kind: "nothing" });
});

test("upcoming renewals are sorted by date", () => {
  assert.deepEqual(
    renewalsAhead([monthly, weekly]).map(({ server }) => server.id),
    ["srv_w", "srv_m"],
  );
});

test("coverage ends at the first renewal that the balance does not cover, to the cent", () => {
  // 10.10 on day 3, 50 on day 5, 10.10 on day 10, 10.10 on day 17.
  assert.deepEqual(coverage(70.2, [weekly, monthly], now), {
    kind: "until",
    renewal: { server: weekly, at: now + 17 * day },
  });
  assert.deepEqual(coverage(70.19, [weekly, monthly], now), {
    kind: "until",
    renewal: { server: weekly, at: now + 10 * day },
  });
  assert.deepEqual(coverage(0, [monthly], now), {
    kind: "until",
    renewal: { server: monthly, at: now + 5 * day },
  });
});

test("coverage beyond the horizon has no date", () => {
  assert.equal(coverage(1_000_000, [weekly, monthly], now).kind, "beyond");
});
