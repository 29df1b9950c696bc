import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { isKeyValue, newKeyValue } from "./key-value.ts";

const random = { bytes: (count: number) => randomBytes(count) };

test("every generated key has the documented form and a valid checksum", () => {
  for (let count = 0; count < 1000; count += 1) {
    const key = newKeyValue(random);
    assert.match(key, /^svk_[0-9A-Za-z]{36}$/);
    assert.ok(isKeyValue(key));
  }
});

test("the checksum is the CRC32 of the 30 characters, in six base-62 digits", () => {
  // Any CRC32 tool prints 0x77e5db82 for thirty zeros.
  assert.ok(isKeyValue(`svk_${"0".repeat(30)}${base62(crcOfZeros)}`));
});

test("any single mistyped character is detected without the database", () => {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const key = newKeyValue(random);
  fc.assert(
    fc.property(fc.nat({ max: 35 }), fc.constantFrom(...digits.split("")), (place, digit) => {
      const at = place + 4;
      fc.pre(key[at] !== digit);
      assert.ok(!isKeyValue(key.slice(0, at) + digit + key.slice(at + 1)));
    }),
  );
});

test("no other text is a key", () => {
  fc.assert(fc.property(fc.string(), (text) => assert.ok(!isKeyValue(text))));
  fc.assert(fc.property(fc.string(), (text) => assert.ok(!isKeyValue(`svk_${text}`))));
});

const crcOfZeros = 0x77e5db82;

function base62(value: number): string {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let text = "";
  for (let rest = value; text.length < 6; rest = Math.floor(rest / 62))
    text = digits[rest % 62] + text;
  return text;
}
