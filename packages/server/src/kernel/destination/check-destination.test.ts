import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { assets, settlementModes, type Asset, type SettlementMode } from "@ironlease/contract";
import { checkDestination } from "./check-destination.ts";

const evm = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

const mainnet = {
  BTC: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  LTC: "LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9",
  XMR: "888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H",
} as const;

const testNetwork = {
  BTC: "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
  LTC: "tltc1q54h36eykleulhfxr3paq9k80fkys77k9z5gdk0",
  XMR: "53teqCAESLxeJ1REzGMAat1ZeHvuajvDiXqboEocPaDRRmqWoVPzy46GLo866qRFjbNhfkNckyhST3WEvBviDwpUDd7DSzB",
} as const;

const everyAddress = [...Object.values(mainnet), ...Object.values(testNetwork), evm];

function isGood(asset: Asset, destination: string, mode: SettlementMode): boolean {
  return checkDestination({ asset, destination, mode }).ok;
}

function message(asset: Asset, destination: string, mode: SettlementMode): string {
  const checked = checkDestination({ asset, destination, mode });
  return checked.ok ? "accepted" : checked.message;
}

describe("checkDestination", () => {
  for (const asset of ["BTC", "LTC", "XMR"] as const) {
    test(`${asset} mainnet addresses are valid in LIVE and SIMULATED mode only`, () => {
      const destination = mainnet[asset];
      assert.deepEqual(
        settlementModes.map((mode) => isGood(asset, destination, mode)),
        [true, false, true],
      );
    });

    test(`${asset} test-network addresses are valid in TEST and SIMULATED mode only`, () => {
      const destination = testNetwork[asset];
      assert.deepEqual(
        settlementModes.map((mode) => isGood(asset, destination, mode)),
        [false, true, true],
      );
    });
  }

  for (const asset of ["ETH", "USDC", "USDT"] as const) {
    test(`an Ethereum address is valid for ${asset} in every mode`, () => {
      for (const mode of settlementModes) assert.ok(isGood(asset, evm, mode));
    });
  }

  test("an address of another asset is refused", () => {
    for (const mode of settlementModes) {
      for (const destination of [mainnet.XMR, mainnet.LTC, evm]) {
        assert.ok(!isGood("BTC", destination, mode));
      }
      for (const destination of [mainnet.BTC, evm]) assert.ok(!isGood("XMR", destination, mode));
      for (const destination of [mainnet.BTC, mainnet.LTC, mainnet.XMR]) {
        assert.ok(!isGood("USDT", destination, mode));
      }
    }
  });

  test("returns the normalized address", () => {
    const values = (["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", mainnet.BTC] as const).map(
      (destination) => checkDestination({ asset: "BTC", destination, mode: "LIVE" }),
    );
    assert.deepEqual(values[0], { ok: true, value: mainnet.BTC });
    assert.deepEqual(values[1], values[0]);
    const destination = evm.toLowerCase();
    const lowerCase = checkDestination({ asset: "USDC", destination, mode: "LIVE" });
    assert.deepEqual(lowerCase, { ok: true, value: evm });
  });

  test("a sim- address is valid in SIMULATED mode only, and for its own asset only", () => {
    for (const asset of assets) {
      const destination = `sim-${asset.toLowerCase()}-0a1b2c3d`;
      assert.deepEqual(
        settlementModes.map((mode) => isGood(asset, destination, mode)),
        [false, false, true],
      );
      for (const other of assets) {
        assert.equal(isGood(other, destination, "SIMULATED"), other === asset);
      }
    }
  });

  test("a sim- address is valid for its own asset, and one that names no asset for every asset", () => {
    const check = (destination: string) =>
      checkDestination({ asset: "LTC", destination, mode: "SIMULATED" }).ok;
    for (const good of ["sim-ltc-abc", "sim-ltc-a-b-1", "sim-anything", "sim-ltc"]) {
      assert.ok(check(good), good);
    }
    for (const bad of [
      "sim-btc-abcdefgh",
      "sim-",
      "sim-LTC-abc",
      "sim-ltc-a b",
      `sim-${"x".repeat(101)}`,
    ]) {
      assert.ok(!check(bad), bad);
    }
  });

  test("rejects white space instead of trimming it", () => {
    for (const blank of [" ", "\t", "\n", "\u00a0", "\u200b", "\ufeff", "\0"]) {
      for (const asset of assets) {
        for (const address of [...everyAddress, `sim-${asset.toLowerCase()}-abcdefgh`]) {
          const middle = `${address.slice(0, 9)}${blank}${address.slice(9)}`;
          for (const destination of [`${blank}${address}`, `${address}${blank}`, middle]) {
            assert.ok(!isGood(asset, destination, "SIMULATED"), JSON.stringify(destination));
          }
        }
      }
    }
  });

  test("a connected chain expects its own addresses, whatever the mode", () => {
    const onRegtest = (destination: string) =>
      checkDestination({ asset: "XMR", destination, mode: "TEST", network: "main" }).ok;
    assert.deepEqual([mainnet.XMR, testNetwork.XMR].map(onRegtest), [true, false]);
    const onTestnet = (destination: string) =>
      checkDestination({ asset: "XMR", destination, mode: "TEST", network: "test" }).ok;
    assert.deepEqual([mainnet.XMR, testNetwork.XMR].map(onTestnet), [false, true]);
  });

  test("a refusal says which address is expected", () => {
    assert.equal(
      message("BTC", testNetwork.BTC, "LIVE"),
      "is on another BTC network; send a mainnet address instead",
    );
    assert.equal(
      message("XMR", "sim-xmr-abcdefgh", "TEST"),
      "is a simulated address; send a real XMR test-network address",
    );
    assert.equal(
      message("ETH", "0x12", "LIVE"),
      "must be a valid ETH mainnet address with a correct checksum",
    );
    assert.match(message("LTC", "x", "SIMULATED"), /or sim-ltc- and lower-case letters/);
  });

  test("never throws, and accepts its own output unchanged", () => {
    const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
    const texts = fc.oneof(
      fc.string({ maxLength: 140 }),
      fc.string({ unit, maxLength: 140 }),
      fc.constantFrom(...everyAddress),
      fc.stringMatching(/^sim-[a-z]{3,4}-[a-z0-9]{0,70}$/),
      fc.constant("1".repeat(1_000_000)),
    );
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(...assets),
        fc.constantFrom(...settlementModes),
        (text, asset, mode) => {
          const checked = checkDestination({ asset, destination: text, mode });
          if (!checked.ok) return;
          assert.deepEqual(checkDestination({ asset, destination: checked.value, mode }), checked);
        },
      ),
    );
  });
});
