import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { base58xmr } from "@scure/base";
import fc from "fast-check";
import { readMoneroAddress } from "./monero.ts";

/** Standard, integrated and subaddresses of the Monero documentation and of Monero's own tests. */
const good = {
  main: [
    "4AdUndXHHZ6cfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2684Rge",
    "4LL9oSLmtpccfufTMvppY6JwXNouMBzSkbLYfpAV5Usx3skxNgYeYTRj5UzqtReoS44qo9mtmXCqY45DJ852K5Jv2bYXZKKQePHES9khPK",
    "888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H",
    "42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm",
    "4BxSHvcgTwu25WooY4BVmgdcKwZu5EksVZSZkDd6ooxSVVqQ4ubxXkhLF6hEqtw96i9cf3cVfLw8UWe95bdDKfRQeYtPwLm1Jiw7AKt2LY",
  ],
  test: [
    "9ujeXrjzf7bfeK3KZdCqnYaMwZVFuXemPU8Ubw335rj2FN1CdMiWNyFV3ksEfMFvRp9L9qum5UxkP5rN9aLcPxbH1au4WAB",
    "AApMA1VuhiCaHzr5X2KXi2Zc9oJ3VaGjkfChxxpRpxkyKf1NetvbRbQTbFMrGkr85DjnEH7JsBaoUFsgKwZnmtnVWnoB8MDotCsLb7eWwz",
    "BdKg9udkvckC5T58a8Nmtb6BNsgRAxs7uA2D49sWNNX5HPW5Us6Wxu8QMXrnSx3xPBQQ2iu9kwEcRGAoiz6EPmcZKbF62GS",
    "53teqCAESLxeJ1REzGMAat1ZeHvuajvDiXqboEocPaDRRmqWoVPzy46GLo866qRFjbNhfkNckyhST3WEvBviDwpUDd7DSzB",
    "5K8mwfjumVseCcQEjNbf59Um6R9NfVUNkHTLhhPCmNvgDLVS88YW5tScnm83rw9mfgYtchtDDTW5jEfMhygi27j1QYphX38hg6m4VMtN29",
    "73LhUiix4DVFMcKhsPRG51QmCsv8dYYbL6GcQoLwEEFvPvkVvc7BhebfA4pnEFF9Lq66hwvLqBvpHjTcqvpJMHmmNjPPBqa",
  ],
} as const;

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const plainBytes = [18, 42, 53, 63, 24, 36];
const integratedBytes = [19, 54, 25];

const keys = Array.from({ length: 2 }, () =>
  generateKeyPairSync("ed25519").publicKey.export({ format: "raw-public" }),
);

/** An address whose checksum holds, whatever else is wrong with it. */
function addressOf(...parts: Uint8Array[]): string {
  const body = Buffer.concat(parts);
  return base58xmr.encode(Buffer.concat([body, keccak_256(body).subarray(0, 4)]));
}

function changed(text: string, at: number, character: string): string {
  return text.slice(0, at) + character + text.slice(at + 1);
}

describe("readMoneroAddress", () => {
  for (const network of ["main", "test"] as const) {
    test(`accepts standard, integrated and subaddresses of the ${network} networks`, () => {
      for (const address of good[network]) {
        assert.deepEqual(readMoneroAddress(address), { network, normalized: address });
      }
    });
  }

  test("rejects an address with one changed character", () => {
    for (const address of [good.main[0], good.main[1], good.test[2]]) {
      for (let at = 0; at < address.length; at += 1) {
        for (const character of `${alphabet}0OIl +/é`) {
          if (character === address[at]) continue;
          const typo = changed(address, at, character);
          assert.equal(readMoneroAddress(typo), undefined, typo);
        }
      }
    }
  });

  test("an address that is too short, too long or surrounded by spaces is refused", () => {
    const [address] = good.main;
    const wrong = ["", address.slice(1), address.slice(0, -1), `${address}1`, ` ${address}`];
    for (const text of wrong) assert.equal(readMoneroAddress(text), undefined);
  });

  test("accepts only the nine network bytes, each with its own length", () => {
    const paymentId = new Uint8Array(8);
    for (let byte = 0; byte < 256; byte += 1) {
      const plain = addressOf(Buffer.of(byte), ...keys);
      const integrated = addressOf(Buffer.of(byte), ...keys, paymentId);
      assert.equal(readMoneroAddress(plain) !== undefined, plainBytes.includes(byte));
      assert.equal(readMoneroAddress(integrated) !== undefined, integratedBytes.includes(byte));
    }
  });

  test("a spend or view key that is not a point on the curve is refused", () => {
    const [key = Buffer.alloc(0)] = keys;
    const noPoint = Buffer.alloc(32);
    noPoint[0] = 2;
    const network = Buffer.of(18);
    assert.notEqual(readMoneroAddress(addressOf(network, key, key)), undefined);
    assert.equal(readMoneroAddress(addressOf(network, noPoint, key)), undefined);
    assert.equal(readMoneroAddress(addressOf(network, key, noPoint)), undefined);
  });

  test("rejects a block that overflows its eight bytes", () => {
    assert.equal(readMoneroAddress("z".repeat(95)), undefined);
    assert.equal(readMoneroAddress("z".repeat(106)), undefined);
  });

  test("never throws on text of the right length", () => {
    const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit, minLength: 95, maxLength: 95 }), (text) => {
        assert.equal(readMoneroAddress(text), undefined);
      }),
    );
  });
});
