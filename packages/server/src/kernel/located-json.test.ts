import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readLocatedJson } from "./located-json.ts";

const textOf = (...lines: readonly string[]) => lines.join("\n");

describe("located JSON", () => {
  test("values are those of JSON.parse, with any indentation", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const read = readLocatedJson(text);
        if (read.ok) assert.deepEqual(read.value, JSON.parse(text));
        else assert.match(read.message, /must have at most 15 digits/);
      }),
    );
  });

  test("text that JSON.parse refuses is refused, without throwing", () => {
    const pieces = fc.constantFrom(
      '{"',
      '"',
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      "1",
      "-",
      ".5",
      "e9",
      "\\u",
      "null",
      " ",
      "\n",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("");
        const read = readLocatedJson(text);
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        if (!isJson) assert.ok(!read.ok, text);
        else assert.ok(read.ok || /duplicate|digits/.test(read.message), text);
      }),
      { numRuns: 5_000 },
    );
  });

  test("a part has the line of its key, or of its nearest existing parent", () => {
    const read = readLocatedJson(
      textOf(
        "{",
        '  "regions": [',
        '    { "id": "fra",',
        '      "name":',
        '        "Frankfurt" },',
        "    {}",
        "  ]",
        "}",
      ),
    );
    assert.ok(read.ok);
    const lines: [string, number][] = [
      ["", 1],
      ["regions", 2],
      ["regions.0", 3],
      ["regions.0.id", 3],
      ["regions.0.name", 4],
      ["regions.0.country", 3],
      ["regions.1.id", 6],
      ["regions.7.id", 2],
      ["discounts.0", 1],
    ];
    for (const [path, line] of lines) {
      assert.equal(read.lineOf(path === "" ? [] : path.split(".")), line, path);
    }
  });

  const invalid: [string, number, RegExp][] = [
    ["", 1, /expected a value, found the end of the file/],
    [textOf("{", '  "a": 1', '  "b": 2', "}"), 3, /expected a comma, found "\\""/],
    [textOf("{", '  "a": [1,', "    2,", "  ]", "}"), 4, /expected a value, found "]"/],
    [textOf("{", '  "a": 1,', "}"), 3, /expected a key in double quotes, found "}"/],
    [textOf("{", "  a: 1", "}"), 2, /a key in double quotes, found "a"/],
    [textOf("{", "  'a': 1", "}"), 2, /a key in double quotes, found "'"/],
    [textOf("{", '  "a" 1', "}"), 2, /expected a colon after the key, found "1"/],
    [textOf("{", '  "a": "open', "}"), 2, /expected text that ends in a quote on its line/],
    [textOf("{", '  "a": "\\x"', "}"), 2, /expected text with JSON escapes only/],
    [textOf("{", '  "a": "\\u12"', "}"), 2, /expected text with complete Unicode escapes/],
    [textOf("{", '  "a": "b\tc"', "}"), 2, /expected text without control characters/],
    [textOf("{", '  "a": 01', "}"), 2, /expected a comma, found "1"/],
    [textOf("{", '  "a": 1.', "}"), 2, /expected a complete number/],
    [textOf("{", '  "a": .5', "}"), 2, /expected a value .*, found "\."/],
    [textOf("{", '  "a": NaN', "}"), 2, /expected a value .*, found "N"/],
    [textOf("{", '  "a": 1 // one', "}"), 2, /expected no comment, found "\/"/],
    [textOf("{}", "", "{}"), 3, /expected the end of the file, found "{"/],
    [textOf("{", '  "a": 1'), 2, /expected a comma or }, found the end of the file/],
    [textOf("[", "  1"), 2, /expected a comma or ], found the end of the file/],
    [textOf("{", '  "a": 0.1234567890123456', "}"), 2, /^a must have at most 15 digits/],
  ];
  for (const [text, line, message] of invalid) {
    test(`${JSON.stringify(text)} is refused on line ${line}`, () => {
      const read = readLocatedJson(text);
      assert.ok(!read.ok);
      assert.equal(read.line, line);
      assert.match(read.message, message);
    });
  }

  test("a duplicate key is refused on its second line, also if spelt with escapes", () => {
    const read = readLocatedJson(
      textOf("[{", '  "name": 1,', '  "b": {"name": 2},', '  "n\\u0061me": 3', "}]"),
    );
    assert.deepEqual(read, {
      ok: false,
      line: 4,
      message: "0.name is a duplicate of line 2",
    });
  });

  test("__proto__ is an ordinary key", () => {
    const read = readLocatedJson('{"__proto__": {"a": 1}}');
    assert.ok(read.ok);
    assert.deepEqual(Object.keys(read.value as object), ["__proto__"]);
  });

  test("nesting beyond the limit is refused", () => {
    const read = readLocatedJson("[".repeat(100_000));
    assert.ok(!read.ok);
    assert.match(read.message, /nested too deeply/);
  });

  test("a text of four MiB with two million escapes is read", () => {
    const read = readLocatedJson(JSON.stringify({ a: "x\\".repeat(2 * 1024 ** 2) }));
    assert.ok(read.ok);
    assert.equal((read.value as { a: string }).a.length, 4 * 1024 ** 2);
  });
});
