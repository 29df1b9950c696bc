import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Deposit, LedgerEntry } from "@ironlease/client";
import { isLedgerBehind, isNewlyCredited } from "./stale-ledger.ts";

const deposit = (fields: Partial<Deposit>) =>
  ({ id: "dep_1", usd: 25, creditedAt: "2026-11-15T09:30:00.000Z", ...fields }) as Deposit;
const ledger = (...entries: readonly { readonly id: string; readonly at: string }[]) => ({
  balanceUsd: 0,
  heldUsd: 0,
  entries: entries.map(
    ({ id, at }) => ({ createdAt: at, reference: { kind: "deposit", id } }) as LedgerEntry,
  ),
});

describe("a ledger that was read before a deposit was credited", () => {
  test("lacks its entry, and does not once the entry is there", () => {
    const at = "2026-11-15T09:30:00.000Z";
    assert.equal(isLedgerBehind(ledger(), [deposit({})]), true);
    assert.equal(isLedgerBehind(ledger({ id: "dep_1", at }), [deposit({})]), false);
    assert.equal(isLedgerBehind(undefined, [deposit({})]), false);
  });

  test("is complete as far as deposits go that are not credited or worth less than a cent", () => {
    const confirming = deposit({ usd: null, creditedAt: null });
    assert.equal(isLedgerBehind(ledger(), [confirming, deposit({ usd: 0 })]), false);
  });

  test("is complete when the deposit is older than all of a full list", () => {
    const at = "2026-11-16T09:30:00.000Z";
    const full = ledger(
      ...Array.from({ length: 100 }, (_, index) => ({ id: `dep_x${index}`, at })),
    );
    assert.equal(isLedgerBehind(full, [deposit({})]), false);
    const newer = deposit({ creditedAt: "2026-11-17T09:30:00.000Z" });
    assert.equal(isLedgerBehind(full, [newer]), true);
  });
});

describe("a newly credited deposit", () => {
  test("was confirming, or not there, when the list was read before", () => {
    const confirming = deposit({ creditedAt: null });
    assert.equal(isNewlyCredited([confirming], [deposit({})]), true);
    assert.equal(isNewlyCredited([], [deposit({})]), true);
    assert.equal(isNewlyCredited([deposit({})], [deposit({})]), false);
    assert.equal(isNewlyCredited([], [confirming]), false);
    assert.equal(isNewlyCredited(undefined, [deposit({})]), false);
  });
});
