import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resendLine, shellLine, withoutOptions } from "./shell-line.ts";

describe("suggested command lines", () => {
  test("words with special characters are quoted", () => {
    assert.equal(shellLine(["api", "GET", "/api/v1/me"]), "ironlease api GET /api/v1/me");
    assert.equal(shellLine(["--data", `{"a":"it's"}`]), `ironlease --data '{"a":"it'\\''s"}'`);
    assert.equal(shellLine(["$HOME", "", "a b"]), "ironlease '$HOME' '' 'a b'");
  });

  test("a resend line has the key and --resend once", () => {
    const argv = ["reboot", "x", "--idempotency-key", "old-key-1", "--resend", "--yes"];
    assert.equal(
      resendLine(argv, "old-key-1"),
      "ironlease reboot x --yes --idempotency-key old-key-1 --resend",
    );
    assert.deepEqual(withoutOptions(["--ca=x", "--ca", "y", "z"], ["--ca"]), ["z"]);
  });
});
