import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Deposit, LedgerEntry } from "@ironlease/client";
import { isLedgerStale, isNewlyCredited } from "./stale-ledger.ts";

const deposit = (fields: Partial<Deposit>) =>
  ({ id: "dep_1", usd: 25, creditedAt: "2026-11-15T09:30:00.000Z", ...fields }) as Deposit;
const ledger = (...entries: readonly { readonly id: string; readonly at: string }[]) => ({
  balanceUsd: 0,
  heldUsd: 0,
  entries: entries.map(
    ({ id, at }) => ({ createdAt: at, reference: { kind: "deposit", id } }) as LedgerEntry,
  ),
});

describe("isLedgerStale", () => {
  test("the ledger is stale until it has the entry of a credited deposit", () => {
    const at = "2026-11-15T09:30:00.000Z";
    assert.equal(isLedgerStale(ledger(), [deposit({})]), true);
    assert.equal(isLedgerStale(ledger({ id: "dep_1", at }), [deposit({})]), false);
    assert.equal(isLedgerStale(undefined, [deposit({})]), false);
  });

  test("deposits that are not credited, or worth less than a cent, have no entry", () => {
    const confirming = deposit({ usd: null, creditedAt: null });
    assert.equal(isLedgerStale(ledger(), [confirming, deposit({ usd: 0 })]), false);
  });

  test("a deposit older than every entry of a full list is ignored", () => {
    const at = "2026-11-16T09:30:00.000Z";
    const full = ledger(
      ...Array.from({ length: 100 }, (_, index) => ({ id: `dep_x${index}`, at })),
    );
    assert.equal(isLedgerStale(full, [deposit({})]), false);
    const newer = deposit({ creditedAt: "2026-11-17T09:30:00.000Z" });
    assert.equal(isLedgerStale(full, [newer]), true);
  });
});

describe("isNewlyCredited", () => {
  test("a deposit counts if the previous list had it confirming or not at all", () => {
    const confirming = deposit({ creditedAt: null });
    assert.equal(isNewlyCredited([confirming], [deposit({})]), true);
    assert.equal(isNewlyCredited([], [deposit({})]), true);
    assert.equal(isNewlyCredited([deposit({})], [deposit({})]), false);
    assert.equal(isNewlyCredited([], [confirming]), false);
    assert.equal(isNewlyCredited(undefined, [deposit({})]), false);
  });
});
