import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UsageError } from "@ironlease/command-line";
import { limits } from "@ironlease/contract";
import { checkShared, type SharedValues } from "./shared-options.ts";

const command = { words: ["thing", "make"], summary: "", examples: [], fields: ["id", "name"] };
const check = (values: Partial<SharedValues>) => () =>
  checkShared(command, { timeout: "15", ...values } as SharedValues);

describe("shared options", () => {
  test("--resend without --idempotency-key is refused", () => {
    assert.throws(check({ resend: true }), UsageError);
    assert.doesNotThrow(check({ resend: true, "idempotency-key": "key-12345" }));
  });

  test("a malformed --idempotency-key is refused with the flag and what is allowed", () => {
    const { min, max } = limits.idempotencyKey;
    for (const key of ["", "k".repeat(min - 1), "k".repeat(max + 1), "key 12345", "schlüssel"]) {
      assert.throws(check({ "idempotency-key": key }), {
        message: `--idempotency-key must be ${min} to ${max} letters, digits, hyphens or underscores.`,
        advice: ["ironlease thing make --help"],
      });
    }
    for (const key of ["k".repeat(min), "k".repeat(max), "A-z_0189"]) {
      assert.doesNotThrow(check({ "idempotency-key": key }));
    }
  });

  test("--timeout must be a whole number of seconds", () => {
    for (const timeout of ["0", "-1", "1.5", "soon", "100000"]) {
      assert.throws(check({ timeout }), /--timeout must be a whole number/);
    }
  });

  test("--get must name a field of the command, if the command declares its fields", () => {
    assert.throws(check({ get: "nmae" }), /--get must be one of id, name, not nmae/);
    assert.doesNotThrow(check({ get: "name.first" }));
    assert.doesNotThrow(() =>
      checkShared({ ...command, fields: undefined } as never, { timeout: "1", get: "x" } as never),
    );
  });

  test("a result is printed in one format", () => {
    for (const values of [
      { json: true, output: "csv" },
      { output: "yaml", get: "id" },
      { quiet: true, output: "table" },
      { quiet: true, json: true },
    ] as const) {
      assert.throws(check(values), /cannot be combined/);
    }
    assert.doesNotThrow(check({ json: true, get: "id" }));
    assert.doesNotThrow(check({ output: "json" }));
  });

  test("--columns must name columns of the command, and is for tables and CSV", () => {
    const list = { ...command, columns: [{ field: "id" }, { field: "state" }] };
    const checkList = (values: Partial<SharedValues>) => () =>
      checkShared(list, { timeout: "15", ...values } as SharedValues);
    assert.doesNotThrow(checkList({ columns: "state, id", output: "csv" }));
    assert.throws(checkList({ columns: "stat" }), {
      message: 'No column "stat". Columns: id, state.',
      advice: ["Did you mean state?", "ironlease thing make --help"],
    });
    assert.throws(checkList({ columns: "id", output: "yaml" }), /for tables and CSV/);
    assert.throws(check({ columns: "id" }), /prints no list/);
  });

  test("--quiet never hides a secret that is shown once", () => {
    const once = { ...command, showsOnce: true } as const;
    assert.throws(
      () => checkShared(once, { timeout: "15", quiet: true } as SharedValues),
      /shown only once/,
    );
  });
});
