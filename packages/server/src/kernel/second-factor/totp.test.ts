import assert from "node:assert/strict";
import { test } from "node:test";
import { totpCode } from "#test/totp.ts";
import { newTotpSecret, otpauthUri, readProof, stepOfCode } from "./totp.ts";

/** "12345678901234567890", the secret of the examples in RFC 6238. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

test("codes match RFC 6238, appendix B, truncated to six digits", () => {
  const examples: [number, string][] = [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ];
  for (const [seconds, code] of examples) {
    assert.equal(stepOfCode(secret, code, seconds * 1000), Math.floor(seconds / 30));
    assert.equal(totpCode(secret, seconds * 1000), code, "the test's own implementation agrees");
  }
});

test("codes of the steps before and after are accepted, codes two steps away are not", () => {
  const now = 1_800_000_000_000;
  const step = now / 30_000;
  const seen = [-2, -1, 0, 1, 2].map((away) =>
    stepOfCode(secret, totpCode(secret, now + away * 30_000), now),
  );
  assert.deepEqual(seen, [undefined, step - 1, step, step + 1, undefined]);
  // The moment within a step does not matter.
  assert.equal(stepOfCode(secret, totpCode(secret, now - 1), now + 29_999), step - 1);
  assert.equal(stepOfCode(secret, totpCode(secret, now - 1), now + 30_000), undefined);
});

test("a code is accepted with the spaces that apps show, and other text is not a code", () => {
  const now = 59_000;
  for (const typed of ["287082", "287 082", " 287-082 "]) {
    assert.equal(stepOfCode(secret, typed, now), 1, typed);
  }
  for (const typed of ["", "28708", "2870822", "abcdef", "２８７０８２", "-287082e0", "0x4616a"]) {
    assert.equal(stepOfCode(secret, typed, now), undefined, typed);
  }
});

test("text that is not six digits is read as a recovery code, in any notation", () => {
  const spellings = ["4GXKD-92MTN-7QRWP-C1JZV-8HB3E", "4gxkd 92mtn 7qrwp cijzv 8hb3e"];
  const [first, second] = spellings.map((typed) => readProof(secret, typed, 0));
  assert.ok(first !== undefined && "recoveryHash" in first);
  assert.deepEqual(first, second);
});

test("a secret has 160 random bits, and its URI is the one that apps read", () => {
  let calls = 0;
  const random = { bytes: (count: number) => Buffer.alloc(count, (calls += 1)) };
  const [first, second] = [newTotpSecret(random), newTotpSecret(random)];
  assert.match(first, /^[A-Z2-7]{32}$/);
  assert.notEqual(first, second);
  const uri = new URL(otpauthUri(first, "ada"));
  assert.equal(`${uri.protocol}//${uri.host}`, "otpauth://totp");
  assert.equal(decodeURIComponent(uri.pathname), "/Ironlease:ada");
  assert.deepEqual(Object.fromEntries(uri.searchParams), {
    issuer: "Ironlease",
    secret: first,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
