import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Type } from "typebox";
import { compileSchemaCheck } from "./field-checks.ts";

const check = compileSchemaCheck(
  Type.Object(
    {
      quantity: Type.Integer({ minimum: 1, maximum: 20, message: "must be 1 to 20" }),
      items: Type.Array(Type.Object({ "a/b": Type.String({ minLength: 2, pattern: "^x" }) })),
      percent: Type.Optional(Type.Number({ multipleOf: 0.01 })),
    },
    { additionalProperties: false },
  ),
);

describe("schema checks", () => {
  test("a valid value has no faults", () => {
    assert.deepEqual(check({ quantity: 1, items: [{ "a/b": "xy" }] }), []);
  });

  test("every faulty part is named once, by its path, with the schema's own message if it has one", () => {
    const faults = check({ quantity: "1", items: [{}, { "a/b": "" }], "odd.one": 1 });
    assert.deepEqual(
      faults.map(({ path }) => path),
      [["odd.one"], ["quantity"], ["items", "0", "a/b"], ["items", "1", "a/b"]],
    );
    assert.deepEqual(
      faults.slice(0, 3).map(({ message }) => message),
      ["is not a known field", "must be 1 to 20", "is required"],
    );
  });

  test("a fault of the whole value has an empty path", () => {
    assert.deepEqual(
      check([]).map(({ path }) => path),
      [[]],
    );
  });

  test("every number of hundredths is a multiple of 0.01, and a third decimal is not", () => {
    for (let hundredths = 1; hundredths <= 10_000; hundredths += 1) {
      assert.deepEqual(check({ quantity: 1, items: [], percent: hundredths / 100 }), []);
    }
    assert.equal(check({ quantity: 1, items: [], percent: 1.005 }).length, 1);
  });
});
