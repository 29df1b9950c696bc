import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readLocatedJson } from "./located-json.ts";

const textOf = (...lines: readonly string[]) => lines.join("\n");

describe("JSON with its lines", () => {
  test("every value is read as JSON.parse reads it, however it is laid out", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const read = readLocatedJson(text);
        if (read.ok) assert.deepEqual(read.value, JSON.parse(text));
        else assert.match(read.message, /must have at most 15 digits/);
      }),
    );
  });

  test("what JSON.parse refuses is refused, and nothing makes it throw", () => {
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
        else assert.ok(read.ok || /twice|digits/.test(read.message), text);
      }),
      { numRuns: 5_000 },
    );
  });

  test("a part's line is its key's line, or that of the nearest part around it", () => {
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

  const flawed: [string, number, RegExp][] = [
    ["", 1, /there must be a value here, not the end of the file/],
    [textOf("{", '  "a": 1', '  "b": 2', "}"), 3, /there must be a comma or } here, not "\\""/],
    [
      textOf("{", '  "a": [1,', "    2,", "  ]", "}"),
      4,
      /there must be more after a comma, not "]"/,
    ],
    [textOf("{", '  "a": 1,', "}"), 3, /there must be more after a comma, not "}"/],
    [textOf("{", "  a: 1", "}"), 2, /a key in double quotes, not "a"/],
    [textOf("{", "  'a': 1", "}"), 2, /a key in double quotes, not "'"/],
    [textOf("{", '  "a" 1', "}"), 2, /a colon after a key, not "1"/],
    [textOf("{", '  "a": "open', "}"), 2, /a text must end on its line/],
    [textOf("{", '  "a": "\\x"', "}"), 2, /only JSON's escapes/],
    [textOf("{", '  "a": 01', "}"), 2, /there must be a value here, not "0"/],
    [textOf("{", '  "a": .5', "}"), 2, /there must be a value here, not "."/],
    [textOf("{", '  "a": NaN', "}"), 2, /there must be a value here, not "N"/],
    [textOf("{", '  "a": 1 // one', "}"), 2, /there must be a comma or } here, not "\/"/],
    [textOf("{}", "", "{}"), 3, /there must be nothing after the document, not "{"/],
    [textOf("{", '  "a": 1'), 2, /there must be a comma or } here, not the end of the file/],
    [textOf("{", '  "a": 0.1234567890123456', "}"), 2, /^a must have at most 15 digits/],
  ];
  for (const [text, line, message] of flawed) {
    test(`${JSON.stringify(text)} is refused on line ${line}`, () => {
      const read = readLocatedJson(text);
      assert.ok(!read.ok);
      assert.equal(read.line, line);
      assert.match(read.message, message);
    });
  }

  test("a key that comes twice in one object is refused on its second line, however it is spelt", () => {
    const read = readLocatedJson(
      textOf("[{", '  "name": 1,', '  "b": {"name": 2},', '  "n\\u0061me": 3', "}]"),
    );
    assert.deepEqual(read, {
      ...{ ok: false, line: 4 },
      message: "0.name comes twice; the first is on line 2",
    });
  });

  test("a key called __proto__ is a key like any other", () => {
    const read = readLocatedJson('{"__proto__": {"a": 1}}');
    assert.ok(read.ok);
    assert.deepEqual(Object.keys(read.value as object), ["__proto__"]);
  });

  test("brackets without end are refused, not followed", () => {
    const read = readLocatedJson("[".repeat(100_000));
    assert.ok(!read.ok);
    assert.match(read.message, /nested too deeply/);
  });

  test("four MiB are read in a moment, also in one text", () => {
    const read = readLocatedJson(JSON.stringify({ a: "x\\".repeat(2 * 1024 ** 2) }));
    assert.ok(read.ok);
    assert.equal((read.value as { a: string }).a.length, 4 * 1024 ** 2);
  });
});
