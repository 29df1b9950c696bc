import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { houseKeys } from "#test/monero-keys.ts";
import { recordedTransfer } from "#test/recorded-transfer.ts";
import { readViewKeys } from "./account-key.ts";
import { payoutDifference } from "./payout-difference.ts";
import { readTransaction } from "./transaction.ts";

const payer = {
  keys: readViewKeys(houseKeys.address, houseKeys.viewKey, "regtest"),
  moneroNetwork: "regtest",
} as const;
const toSubaddress = { destination: recordedTransfer.subaddress, amountUnits: 200_000_000_000n };
const toPrimary = { destination: recordedTransfer.primary, amountUnits: 300_000_000_000n };

/** What the recorded transaction does otherwise than an order with its fee and these outputs. */
function difference(...outputs: readonly (typeof toPrimary)[]): string | undefined {
  const transaction = readTransaction(recordedTransfer.raw);
  assert.ok(transaction !== undefined);
  return payoutDifference(payer, {
    transaction,
    transactionKeys: recordedTransfer.keys,
    prepared: { feeUnits: transaction.feeUnits },
    order: { outputs },
  });
}

describe("a signed Monero transaction with the prepared fee", () => {
  test("pays the order and returns the change to the wallet", () => {
    assert.equal(difference(toSubaddress, toPrimary), undefined);
  });

  test("pays only the destinations that the order names", () => {
    const refusal = "must pay nothing but the order and the change to the wallet";
    assert.equal(difference(toSubaddress), refusal);
    assert.equal(difference(toPrimary), refusal);
  });

  test("pays every output of the order, each with an output of its own", () => {
    const refusal = `must pay ${toPrimary.amountUnits} units to ${toPrimary.destination}`;
    assert.equal(difference(toSubaddress, toPrimary, toPrimary), refusal);
    const less = { ...toSubaddress, amountUnits: toSubaddress.amountUnits - 1n };
    assert.match(difference(less, toPrimary) ?? "", /^must pay 199999999999 units to 8AYQ/);
  });
});
