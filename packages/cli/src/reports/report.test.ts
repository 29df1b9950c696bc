import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ApiError, OutcomeUnknown } from "@ironlease/client";
import { styleFor } from "@ironlease/command-line";
import type { Failure } from "#failures/failure.ts";
import type { Io } from "#io.ts";
import { describeError } from "./describe-error.ts";
import { failureJson, failureText } from "./report.ts";

const plain = styleFor({}, {});

const refusal = (code: string, more: Partial<ConstructorParameters<typeof ApiError>[0]> = {}) =>
  new ApiError(
    {
      code,
      message: "No.",
      status: 400,
      requestId: "req_1",
      fields: [],
      retryAfterSeconds: undefined,
      ...more,
    },
    { id: "placeOrder", key: "key-12345" },
  );

const describing = (error: unknown, argv: readonly string[] = []): Promise<Failure> =>
  describeError(error, {
    argv,
    io: {} as Io,
    target: undefined,
    isWithKey: false,
    suggest: (line) => line,
  });

describe("error reports", () => {
  test("an error shows its message, then its fields, then its code, key and request id", async () => {
    const fields = [{ field: "osId", message: "is not in the catalogue" }];
    const failure = await describing(refusal("validation_failed", { fields }));
    assert.equal(
      failureText(failure, plain),
      [
        "error: No.",
        "  osId (--os) is not in the catalogue",
        "  code validation_failed, idempotency key key-12345, request req_1",
      ].join("\n"),
    );
  });

  test("rate_limited shows how long to wait", async () => {
    const more = { status: 429, retryAfterSeconds: 900 };
    const failure = await describing(refusal("rate_limited", more));
    assert.equal(failure.exit, "rateLimited");
    assert.match(failureText(failure, plain), /Wait 900 seconds/);
    const { error } = JSON.parse(failureJson(failure));
    assert.deepEqual([error.exitCode, error.retryAfterSeconds], [9, 900]);
  });

  test("control characters in a service's message are escaped", async () => {
    const fields = [{ field: "toString", message: "\u001b[2J" }];
    const failure = await describing(refusal("constructor", { fields, message: "\u009b1A" }));
    const text = failureText(failure, plain);
    assert.doesNotMatch(text, /[\u001b\u009b]/);
    assert.match(text, /toString \\u001b\[2J/);
  });

  test("an unknown outcome with a key suggests the resend command", async () => {
    const error = new OutcomeUnknown(
      { id: "placeOrder", key: "k-123456", check: "listOrders" },
      {},
    );
    const { advice = [] } = await describing(error, ["order", "create", "--os", "a b"]);
    assert.ok(
      advice.includes("ironlease order create --os 'a b' --idempotency-key k-123456 --resend"),
    );
    assert.ok(advice.includes("ironlease idempotency-key show k-123456"));
  });

  test("an unknown outcome without a key does not suggest to resend", async () => {
    for (const id of ["register", "recover", "changePassword", "closeAccount", "createApiKey"]) {
      const { advice = [] } = await describing(new OutcomeUnknown({ id, check: "signIn" }, {}));
      assert.match(advice.join("\n"), /ironlease login/);
      assert.doesNotMatch(advice.join("\n"), /again/);
    }
  });

  test("a bug in the program is reported with its stack trace", async () => {
    const failure = await describing(new RangeError("oops"));
    assert.equal(failure.exit, "failed");
    assert.match(failure.message, /RangeError: oops\n +at /);
  });
});
