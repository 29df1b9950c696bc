import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { errors } from "@ironlease/contract";
import { exitOfCode, exitOfRefusal, exits } from "./exit-codes.ts";

describe("exit codes", () => {
  test("the numbers do not change, because scripts rely on them", () => {
    const numbers = Object.entries(exits).map(([name, { code }]) => [name, code]);
    assert.deepEqual(Object.fromEntries(numbers), {
      ok: 0,
      failed: 1,
      usage: 2,
      invalid: 3,
      signedOut: 4,
      forbidden: 5,
      notFound: 6,
      refused: 7,
      keyUsed: 8,
      rateLimited: 9,
      unavailable: 10,
      unreachable: 11,
      untrusted: 12,
      unknown: 13,
      declined: 14,
      notYet: 15,
      unverified: 16,
      ended: 17,
      interrupted: 130,
    });
  });

  test("every error code of the service has an exit code", () => {
    assert.deepEqual(Object.keys(exitOfCode).toSorted(), Object.keys(errors).toSorted());
  });

  test("an unknown error code maps to an exit code by its HTTP status", () => {
    assert.equal(exitOfRefusal("out_of_paper", 503), "unavailable");
    assert.equal(exitOfRefusal("too_heavy", 409), "refused");
    assert.equal(exitOfRefusal("too_blue", 400), "invalid");
    assert.equal(exitOfRefusal("toString", 400), "invalid");
  });
});
