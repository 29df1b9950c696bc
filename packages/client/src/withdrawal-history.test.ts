import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LedgerEntry, ListLedgerEntriesRequest } from "./generated/account-types.ts";
import { readWithdrawalHistory } from "./withdrawal-history.ts";

describe("the history of withdrawals", () => {
  test("an outcome on one page belongs to its hold on another", async () => {
    // Every withdrawal is resolved after all have been requested.
    const ledger = ledgerOf([
      ...numbers.map((number) => entry(number, "WITHDRAWAL_PAID", "paid. Transaction 0xpaid")),
      ...numbers.map((number) => entry(number, "WITHDRAWAL_HOLD", "under review")),
    ]);
    const { withdrawals, hasMore } = await readWithdrawalHistory(ledger, 100);
    assert.equal(hasMore, true);
    assert.deepEqual(
      withdrawals.map(({ id, status }) => [id, status]),
      numbers.slice(0, 100).map((number) => [`wdr_${number}`, "PAID"]),
    );
    const whole = await readWithdrawalHistory(ledger, 150);
    assert.deepEqual([whole.withdrawals.length, whole.hasMore], [150, false]);
    assert.deepEqual(whole.withdrawals.slice(0, 100), withdrawals);
  });

  test("one without an outcome is held, and a rejected one has the reason", async () => {
    const ledger = ledgerOf([
      entry(1, "WITHDRAWAL_RELEASE", "rejected: Wrong network.\nAsk for another."),
      entry(2, "WITHDRAWAL_HOLD", "under review"),
      entry(1, "WITHDRAWAL_HOLD", "under review"),
    ]);
    const { withdrawals } = await readWithdrawalHistory(ledger, 50);
    const held = { asset: "BTC", usd: 25, requestedAt: at, transactionId: null };
    assert.deepEqual(withdrawals, [
      { ...held, id: "wdr_2", status: "HELD", reason: null, resolvedAt: null },
      {
        ...{ ...held, id: "wdr_1", status: "REJECTED", resolvedAt: at },
        reason: "Wrong network.\nAsk for another.",
      },
    ]);
  });

  test("unknown wording does not hide an outcome", async () => {
    const unknown = { description: "Returned to your balance" };
    const ledger = ledgerOf([
      { ...entry(1, "WITHDRAWAL_RELEASE", ""), ...unknown },
      { ...entry(1, "WITHDRAWAL_HOLD", ""), ...unknown },
    ]);
    const [withdrawal] = (await readWithdrawalHistory(ledger, 50)).withdrawals;
    assert.equal(withdrawal?.status, "REJECTED");
    assert.equal(withdrawal.reason, unknown.description);
    assert.equal(withdrawal.asset, null);
  });
});

const at = "2026-11-01T09:30:00.000Z";
const numbers = Array.from({ length: 150 }, (_, index) => 150 - index);

function entry(number: number, type: LedgerEntry["type"], result: string): LedgerEntry {
  return {
    id: `led_${type}_${number}`,
    createdAt: at,
    type,
    amountUsd: type === "WITHDRAWAL_HOLD" ? -25 : 0,
    balanceAfterUsd: 0,
    description: `Withdrawal in BTC, ${result}`,
    reference: { kind: "withdrawal", id: `wdr_${number}` },
    previousHash: null,
    hash: null,
  };
}

/** Answers pages of the entries, which are newest first. */
function ledgerOf(entries: readonly LedgerEntry[]) {
  return {
    listLedgerEntries: ({ after, limit }: ListLedgerEntriesRequest) => {
      const start = entries.findIndex(({ id }) => id === after) + 1;
      return Promise.resolve({ entries: entries.slice(start, start + (limit ?? 100)) });
    },
  };
}
