import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hex } from "@scure/base";
import { houseKeys, payerKeys } from "#test/monero-keys.ts";
import { recordedTransfer } from "#test/recorded-transfer.ts";
import { readAddress, readViewKeys } from "./account-key.ts";
import { outputsTo, ownOutputs } from "./payment-outputs.ts";
import { readTransaction, type MoneroTransaction } from "./transaction.ts";

const { id, raw, subaddress, primary } = recordedTransfer;
const keys = recordedTransfer.keys.map((key) => hex.decode(key));
const viewKeys = readViewKeys(houseKeys.address, houseKeys.viewKey, "regtest");

function read(text = raw): MoneroTransaction {
  const transaction = readTransaction(text);
  assert.ok(transaction !== undefined);
  return transaction;
}

function paid(address: string, transaction = read(), secrets = keys) {
  const to = readAddress(address, "regtest");
  assert.ok(to !== undefined);
  return outputsTo(to, transaction, secrets);
}

describe("outputs of a recorded Monero transaction", () => {
  test("its id, fee and key images are those of the daemon", () => {
    const transaction = read();
    assert.deepEqual([transaction.id, transaction.unlockTime], [id, 0n]);
    assert.equal(transaction.feeUnits, 2_632_800_000n);
    assert.equal(transaction.keyImages.length, 1);
    assert.equal(read(raw.replace(/..$/, "ff")).id === id, false);
  });

  test("the transaction keys prove each payment, and the view key proves the change", () => {
    assert.deepEqual(paid(subaddress), [{ index: 2, amountUnits: 200_000_000_000n }]);
    assert.deepEqual(paid(primary), [{ index: 1, amountUnits: 300_000_000_000n }]);
    assert.deepEqual(paid(houseKeys.address, read(), keys.slice(0, 1)), [
      { index: 0, amountUnits: 497_367_200_000n },
    ]);
    const change = ownOutputs(viewKeys, read());
    assert.deepEqual(change, [{ index: 0, amountUnits: 497_367_200_000n }]);
  });

  test("other keys prove nothing", () => {
    assert.deepEqual(paid(subaddress, read(), keys.toReversed()), []);
    assert.deepEqual(paid(subaddress, read(), []), []);
    const other = readViewKeys(payerKeys.address, payerKeys.viewKey, "regtest");
    assert.equal(ownOutputs(other, read()).length, 1);
    assert.notEqual(ownOutputs(other, read())[0]?.index, 0);
  });

  test("an output that its receiver could not find or spend is no payment", () => {
    const transaction = read();
    const changed = (change: Partial<MoneroTransaction["outputs"][number]>) => ({
      ...transaction,
      outputs: transaction.outputs.map((output) => ({ ...output, ...change })),
    });
    assert.deepEqual(paid(subaddress, changed({ encryptedAmount: new Uint8Array(8) })), []);
    assert.deepEqual(paid(subaddress, changed({ commitment: new Uint8Array(32) })), []);
    assert.deepEqual(paid(subaddress, changed({ viewTag: 0 })), []);
    assert.deepEqual(paid(subaddress, changed({ key: new Uint8Array(32) })), []);
    assert.deepEqual(paid(subaddress, { ...transaction, additionalKeys: [] }), []);
    assert.deepEqual(ownOutputs(viewKeys, changed({ commitment: new Uint8Array(32) })), []);
  });

  test("bytes that are no transaction are not read", () => {
    for (const text of ["", "zz", "00", raw.slice(0, 200), `03${raw.slice(2)}`]) {
      assert.equal(readTransaction(text), undefined);
    }
  });
});
