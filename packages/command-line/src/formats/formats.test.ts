import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readCsv } from "@ironlease/csv";
import fc from "fast-check";
import { parse } from "yaml";
import { csvText, yamlText } from "./index.ts";

const anyText = fc.string({ unit: "binary" });
const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

describe("formats", () => {
  test("YAML parses to the same value and cannot act on a terminal", () => {
    const value = fc.record(
      {
        name: anyText,
        list: fc.array(fc.oneof(anyText, fc.integer(), fc.constant(null))),
        word: fc.constantFrom("no", "1e3", "0x1", "~", "2026-01-01", "- a", "a: b", "#", "a\nb"),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(value, (given) => {
        const text = yamlText(given);
        assert.equal(acting.test(text), false);
        assert.deepEqual(parse(text), given);
      }),
    );
  });

  test("no cell of CSV is a formula, and negative numbers stay numbers", () => {
    const [, line] = csvText(["a", "b", "c", "d"], [["=1+1", "-12.50", -3, "+49 1"]]);
    assert.equal(line, "'=1+1,-12.50,-3,'+49 1");
    fc.assert(
      fc.property(anyText, (text) => {
        const read = readCsv(csvText(["a", "b"], [["x", text]]).join("\n"));
        assert.ok(read.ok);
        const cell = read.rows[1]?.cells[1] ?? "";
        assert.doesNotMatch(cell, /^[=+@\t\r]|^-(?!\d+(?:\.\d+)?$)/);
      }),
    );
  });

  test("CSV has one line for each row, with lists as words and objects as JSON", () => {
    const rows = [[["a", "b"], { x: "1" }, null, undefined, true, 'say "hi", you\n']];
    assert.deepEqual(csvText(["a", "b", "c", "d", "e", "f"], rows), [
      "a,b,c,d,e,f",
      'a b,"{""x"":""1""}",,,true,"say ""hi"", you\n"',
    ]);
  });
});
