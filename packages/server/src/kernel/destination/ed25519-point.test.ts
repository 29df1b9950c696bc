import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isEd25519Point } from "./ed25519-point.ts";

const p = 2n ** 255n - 19n;
const d = (p - 121665n) * powerOf(121666n, p - 2n);

function powerOf(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n;
  const half = powerOf((base * base) % p, exponent / 2n);
  return exponent % 2n === 0n ? half : (half * base) % p;
}

function encoded(y: bigint, sign = 0n): Uint8Array {
  const hex = (y | (sign << 255n)).toString(16).padStart(64, "0");
  return Uint8Array.fromHex(hex).toReversed();
}

/** Decoding as RFC 8032, section 5.1.3, defines it. */
function hasRoot(y: bigint): boolean {
  const u = (y * y - 1n + p) % p;
  const v = (d * y * y + 1n) % p;
  const candidate = (u * powerOf(v, 3n) * powerOf(u * powerOf(v, 7n), (p - 5n) / 8n)) % p;
  const square = (v * candidate * candidate) % p;
  return square === u || square === (p - u) % p;
}

describe("isEd25519Point", () => {
  test("accepts the public keys of RFC 8032 and of node:crypto", () => {
    const known = [
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      "5866666666666666666666666666666666666666666666666666666666666666",
    ].map((hex) => Buffer.from(hex, "hex"));
    const made = Array.from({ length: 20 }, () =>
      generateKeyPairSync("ed25519").publicKey.export({ format: "raw-public" }),
    );
    for (const key of [...known, ...made]) assert.ok(isEd25519Point(key), key.toString("hex"));
  });

  test("agrees with RFC 8032 decoding for every y, with either sign bit", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n, max: p - 2n }), (y) => {
        assert.equal(isEd25519Point(encoded(y)), hasRoot(y));
        assert.equal(isEd25519Point(encoded(y, 1n)), hasRoot(y));
      }),
    );
  });

  test("rejects y of p or more, and a sign bit where x is 0", () => {
    for (const y of [0n, 1n, p - 1n]) assert.ok(isEd25519Point(encoded(y)), `${y}`);
    for (const y of [p, p + 1n, p + 3n, 2n ** 255n - 1n]) assert.ok(!isEd25519Point(encoded(y)));
    for (const y of [1n, p - 1n]) assert.ok(!isEd25519Point(encoded(y, 1n)), `${y}`);
  });

  test("rejects any length other than 32 bytes", () => {
    for (const length of [0, 31, 33]) assert.ok(!isEd25519Point(new Uint8Array(length)));
  });
});
