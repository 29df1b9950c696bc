import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@ironlease/contract";
import fc from "fast-check";
import { checkNewPassword } from "#kernel/access/password-rules.ts";
import { compileFieldCheck } from "./field-checks.ts";

const check = compileFieldCheck(operations.register.body);
const faults = (username: string, password: string) =>
  check({ username, password }).map(({ field }) => field);
const good = { username: "ada", password: "a long pass phrase" };

test("a username is 3 to 32 letters, digits, underscores and hyphens, starting with a letter", () => {
  const grammar = /^[A-Za-z][A-Za-z0-9_-]{2,31}$/;
  const near = fc.stringMatching(/^[A-Za-z0-9_.\n -]{0,40}$/);
  fc.assert(
    fc.property(fc.oneof(near, fc.string({ unit: "binary" })), (username) => {
      const isGood = grammar.test(username) && !username.endsWith("\n");
      assert.deepEqual(faults(username, good.password), isGood ? [] : ["username"]);
    }),
    { numRuns: 2_000 },
  );
});

test("a password is 10 to 256 code points of any kind, regardless of their bytes", () => {
  const password = fc.array(fc.constantFrom("a", "é", "漢", "😀", " ", "\t"), { maxLength: 300 });
  fc.assert(
    fc.property(password, (points) => {
      const isGood = points.length >= 10 && points.length <= 256;
      assert.deepEqual(faults(good.username, points.join("")), isGood ? [] : ["password"]);
    }),
    { numRuns: 2_000 },
  );
});

test("common passwords and the username are refused as passwords, in any case", () => {
  for (const known of ["1234567890", "Password123", "QWERTYUIOP"]) {
    assert.ok(!checkNewPassword("password", known, "ada").ok, known);
  }
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z][a-z0-9_-]{9,31}$/), (username) => {
      assert.ok(!checkNewPassword("password", username.toUpperCase(), username).ok);
      assert.ok(checkNewPassword("password", `${username} and more`, username).ok);
    }),
  );
});
