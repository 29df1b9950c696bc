import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListApiKeysAnswer } from "@ironlease/client";
import {
  apiKeyStatus,
  contactStatus,
  secondFactorStatus,
  withdrawalStatus,
} from "./protections.ts";

const key = { allowedNetworks: null, createdAt: "2026-11-01T00:00:00.000Z" };
const bound = { allowedNetworks: ["192.0.2.0/24"], createdAt: "2026-11-02T00:00:00.000Z" };
const keys = (...apiKeys: object[]) => apiKeyStatus({ apiKeys } as unknown as ListApiKeysAnswer);

test("keys protect the account only if each one is bound to networks", () => {
  assert.equal(keys().state, "plain");
  assert.deepEqual(keys(bound, key), {
    state: "off",
    label: "2",
    detail: "1 usable from any network.",
    last: { what: "Created", at: bound.createdAt },
  });
  assert.equal(keys(key).detail, "Usable from any network.");
  assert.equal(keys(bound).state, "on");
});

test("withdrawals are protected while they are locked and no unlock is requested", () => {
  const addresses = { withdrawalAddresses: [] };
  const stateOf = (locked: boolean, unlocksAt: string | null) =>
    withdrawalStatus({ locked, unlocksAt }, addresses).state;
  assert.deepEqual(
    [stateOf(false, null), stateOf(true, null), stateOf(true, key.createdAt)],
    ["off", "on", "off"],
  );
});

test("a second factor and a confirmed address that takes mail protect, and their absence shows", () => {
  const account = { username: "ada", balanceUsd: 0, csrfToken: "" };
  assert.equal(secondFactorStatus(account).state, "off");
  assert.equal(secondFactorStatus({ ...account, secondFactor: "on" }).state, "on");
  const none = { offered: true, email: null, confirmedAt: null, refusedAt: null, pending: null };
  const contact = { ...none, unsubscribed: [] };
  assert.equal(contactStatus(contact).state, "off");
  const confirmed = { ...contact, email: "ada@example.com", confirmedAt: key.createdAt };
  assert.equal(contactStatus(confirmed).state, "on");
  assert.equal(contactStatus({ ...confirmed, refusedAt: key.createdAt }).state, "off");
});
