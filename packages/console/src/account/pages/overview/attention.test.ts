import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerDue } from "@ironlease/client";
import { attentionItems } from "./attention.ts";

const texts = {
  timeUntil: (at: string) => `time until ${at}`,
  nameOf: (server: ServerDue) => server.label,
};
const nothing = { count: 0, first: null };
const first: ServerDue = {
  id: "srv_1",
  label: "Shop",
  hostname: "shop.example.com",
  configId: "metal-s",
  region: "fra",
  state: "GRACE",
  at: "2026-11-16T11:30:00.000Z",
  usd: 49.9,
};
const low = { until: first.at, neededUsd: 60, missingUsd: 10.1 };
const calm = { grace: nothing, quotes: nothing, lowBalance: null };
const actions = (...args: Parameters<typeof attentionItems>) =>
  attentionItems(...args).map(({ tone, action }) => [tone, action.label, action.to]);

test("nothing needs attention while all is well", () => {
  assert.deepEqual(attentionItems(calm, 0, texts), []);
});

test("a server in grace asks for the deposit that is missing, once", () => {
  const summary = { ...calm, grace: { count: 1, first }, lowBalance: low };
  assert.deepEqual(actions(summary, 0, texts), [["bad", "Deposit $10.10", "/billing/deposit"]]);
  const [item] = attentionItems(summary, 0, texts);
  assert.deepEqual(item?.action.search, { usd: "10.10" });
  assert.match(
    item?.text ?? "",
    /^Shop is terminated in time until 2026-11-16T11:30:00\.000Z unless its renewal of \$49\.90/,
  );
});

test("servers in grace although the balance suffices lead to their pages", () => {
  const one = { ...calm, grace: { count: 1, first } };
  assert.deepEqual(actions(one, 0, texts), [["bad", "View server", "/servers/srv_1"]]);
  const two = { ...calm, grace: { count: 2, first } };
  assert.deepEqual(actions(two, 0, texts), [["bad", "View servers", "/servers"]]);
});

test("the most urgent is first", () => {
  const summary = { ...calm, lowBalance: low, quotes: { count: 1, first } };
  assert.deepEqual(actions(summary, 2, texts), [
    ["warn", "Deposit $10.10", "/billing/deposit"],
    ["info", "View quote", "/servers/srv_1"],
    ["info", "Read messages", "/messages"],
  ]);
});
