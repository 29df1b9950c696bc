import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { houseKeys } from "#test/monero-keys.ts";
import { readViewKeys } from "./account-key.ts";

/** The Monero project's General Fund, whose view key is public. */
const fund = {
  address:
    "44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A",
  viewKey: "f359631075708155cc3d92a32b75a7d02a5dcf27756707b47a2b31b21c389501",
};

function problemOf(address: string, viewKey: string, network: "mainnet" | "stagenet" = "mainnet") {
  try {
    readViewKeys(address, viewKey, network);
    return "none";
  } catch (error) {
    const { message } = error as Error;
    assert.ok(viewKey === "" || !message.includes(viewKey));
    return message;
  }
}

describe("the keys of a view-only wallet", () => {
  test("are accepted when the view key belongs to the address", () => {
    const keys = readViewKeys(fund.address, `${fund.viewKey.toUpperCase()}\n`, "mainnet");
    assert.equal(keys.viewKey, fund.viewKey);
    assert.equal(keys.subaddress(0), fund.address);
    assert.match(keys.subaddress(1), /^8[1-9A-Za-z]{94}$/);
    assert.notEqual(keys.subaddress(1), keys.subaddress(2));
    assert.throws(() => keys.subaddress(-1), RangeError);
  });

  test("are refused with the reason, which never quotes the view key", () => {
    const { address, viewKey } = fund;
    const subaddress = readViewKeys(address, viewKey, "mainnet").subaddress(1);
    assert.match(problemOf(address.replace("44A", "44B"), viewKey), /not a valid Monero address/);
    assert.match(problemOf("4".repeat(95), viewKey), /not a valid Monero address/);
    assert.match(problemOf(subaddress, viewKey), /not the primary address of a wallet on mainnet/);
    assert.match(problemOf(address, viewKey, "stagenet"), /wallet on stagenet/);
    assert.match(problemOf(address, houseKeys.viewKey), /does not belong to the address/);
    assert.match(problemOf(address, ""), /64 hexadecimal digits/);
    assert.equal(problemOf(address, viewKey), "none");
  });
});
