import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readJson } from "./read-json.ts";

const read = (text: string) => readJson(Buffer.from(text));
const refusal = (text: string) => {
  const answer = read(text);
  return answer.ok ? undefined : answer.message;
};
const unstorableIn = (text: string) => {
  const answer = read(text);
  assert.ok(answer.ok);
  return answer.unstorable;
};
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

// The parser accepts at most 15 significant digits.
const shortNumber = fc
  .double({ noDefaultInfinity: true, noNaN: true, min: -1e290, max: 1e290 })
  .filter((number) => number === 0 || Math.abs(number) > 1e-290)
  .map((number) => Number(number.toPrecision(15)));
const awkwardKey = fc.constantFrom(
  "__proto__",
  "constructor",
  "toString",
  "",
  "0",
  "a.b",
  '"',
  "\\",
);
const key = fc.oneof(fc.string({ unit: "binary" }), awkwardKey);
const json = (value: unknown) => ({ text: JSON.stringify(value), value });
type Json = ReturnType<typeof json>;
// Each text comes with its value, because JSON.parse can misread escaped keys (see below).
const anyJson = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false, "{[:,]}", "\\", '-1e999 " 1e999').map(json),
    shortNumber.map(json),
    fc.string({ unit: "binary" }).map(json),
    fc.array(tie("json"), { maxLength: 5 }).map((items) => ({
      text: `[${items.map((item) => item.text).join(" ,")}]`,
      value: items.map((item) => item.value),
    })),
    fc
      .uniqueArray(fc.tuple(key, tie("json")), { maxLength: 5, selector: ([name]) => name })
      .map((members) => ({
        text: `{${members.map(([name, { text }]) => `${json(name).text}\n:${text}`).join(" ,\t")}}`,
        value: Object.fromEntries(members.map(([name, { value }]) => [name, value])),
      })),
  ),
})).json;
const anyText = anyJson.map(({ text }) => text);

/** The spellings of a key: each character raw or as a Unicode escape. */
const spelling = (name: string) =>
  fc.array(fc.boolean(), { minLength: name.length, maxLength: name.length }).map((escaped) => {
    const units = name.split("").map((unit, index) => {
      const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
      return escaped[index] === true ? `\\u${hex}` : JSON.stringify(unit).slice(1, -1);
    });
    return `"${units.join("")}"`;
  });

test("every JSON value without duplicate keys is read unchanged", () => {
  fc.assert(
    fc.property(anyJson, ({ text, value }) => {
      const answer = read(text);
      assert.ok(answer.ok, answer.ok ? "" : answer.message);
      assert.deepEqual(answer.value, text.includes("\\") ? value : JSON.parse(text));
      assert.equal(JSON.stringify(answer.value), JSON.stringify(value));
    }),
    { numRuns: 1000 },
  );
});

test("an escaped key is read correctly after a body that makes V8 confuse it with another key", () => {
  JSON.parse('{"h":[],"\\\\":0}');
  JSON.parse('{"h":[],"\\\\u":0}');
  for (const [escaped, name] of Object.entries({ '\\"': '"', "\\n": "\n", "\\u0061b": "ab" })) {
    const answer = read(` [ { } , [ ] , {"h":1,"${escaped}" : 2 } ]\n`);
    assert.deepEqual(answer, { ok: true, value: [{}, [], { h: 1, [name]: 2 }], unstorable: [] });
  }
});

test("arbitrary bytes and near-JSON never make the parser throw", () => {
  const nearJson = fc.string({ unit: fc.constantFrom(...'{}[]:,"\\u0e-+.1 t'.split("")) });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    nearJson.map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(bytes, (body) => {
      assert.equal(typeof readJson(body).ok, "boolean");
    }),
    { numRuns: 3000 },
  );
});

test("a duplicate key in an object is refused, in any spelling and at any depth", () => {
  const planted = key.chain((name) =>
    fc.tuple(spelling(name), spelling(name), anyText, anyText, fc.nat(20), fc.boolean()),
  );
  fc.assert(
    fc.property(planted, ([first, second, one, other, depth, inArray]) => {
      const [open, close] = inArray ? ["[1,", "]"] : ['{"in":', "}"];
      const body = `{${first}:${one},"between 2":0,${second}:${other}}`;
      const message = refusal(open.repeat(depth) + body + close.repeat(depth));
      assert.equal(message, "The body has a duplicate key in an object.");
    }),
    { numRuns: 1000 },
  );
});

test("the same key in two objects, or as a value, is accepted", () => {
  assert.equal(refusal('[{"a":1},{"a":{"a":"a"}}]'), undefined);
});

test("__proto__ arrives as an own property and changes no prototype", () => {
  for (const text of ['{"__proto__":{"admin":true}}', '{"\\u005f_proto__":{"admin":true}}']) {
    const answer = read(text);
    assert.ok(answer.ok);
    assert.ok(typeof answer.value === "object" && answer.value !== null);
    assert.deepEqual(Object.keys(answer.value), ["__proto__"]);
    assert.equal(Object.getPrototypeOf(answer.value), Object.prototype);
    assert.equal("admin" in answer.value, false);
  }
});

test("32 levels are allowed, 33 are refused, and brackets in strings do not count", () => {
  assert.equal(refusal(nested(32)), undefined);
  assert.equal(refusal('{"a":'.repeat(31) + "[]" + "}".repeat(31)), undefined);
  assert.match(refusal(nested(33)) ?? "", /more than 32 levels/);
  assert.match(refusal('{"a":'.repeat(32) + "[]" + "}".repeat(32)) ?? "", /more than 32 levels/);
  assert.equal(refusal(JSON.stringify("[".repeat(100))), undefined);
  assert.equal(refusal(`[${"[],".repeat(100)}{}]`), undefined);
});

test("nesting of 32,768 and of two million levels is a refusal, not a crash", () => {
  assert.match(refusal(nested(32_768)) ?? "", /more than 32 levels/);
  assert.match(refusal(nested(2_000_000)) ?? "", /more than 32 levels/);
  assert.match(refusal("[".repeat(65_536)) ?? "", /more than 32 levels/);
  assert.match(refusal('{"a":'.repeat(30_000)) ?? "", /more than 32 levels/);
});

test("a number that a double cannot represent is refused, and others are read unchanged", () => {
  const zeros = "0".repeat(400);
  const large = ["1e309", "-1e309", "1E+999", `1${zeros}`];
  const small = ["1e-400", `0.${zeros}1`, "1.5e-310"];
  const exact = [
    "1234567890123456",
    "0.1234567890123456",
    "1.00000000000000001",
    "9007199254740993",
  ];
  for (const number of [...large, ...small, ...exact]) {
    for (const text of [number, `[${number}]`, `{"usd":${number} }`]) {
      assert.match(refusal(text) ?? "", /^The body has a number/, text);
    }
  }
  const zero = ["0", "-0", "0e999", `0.${zeros}`, "0.00"];
  const plain = [`25.50${zeros}`, "10203", "123456789012345", "123456789012345000000"];
  const scaled = ["1e308", "-1.5E-300", "0.000123456789012345", "-12.5e+2"];
  for (const text of [...zero, ...plain, ...scaled]) {
    assert.deepEqual(read(text), { ok: true, value: Number(text), unstorable: [] }, text);
  }
});

test("a number is refused exactly when it has more than 15 significant digits", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^(0|[1-9]\d{0,20})(\.\d{1,20})?$/), (number) => {
      const digits = number.replace(".", "").replace(/^0+/, "").replace(/0+$/, "");
      assert.equal(refusal(number) === undefined, digits.length <= 15);
    }),
    { numRuns: 1000 },
  );
});

test("invalid UTF-8 and a byte order mark are refused and do not affect later bodies", () => {
  const bodies: Record<string, number[]> = {
    overlong: [0x22, 0xc0, 0x80, 0x22],
    "encoded surrogate": [0x22, 0xed, 0xa0, 0x80, 0x22],
    "past the last code point": [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22],
    "lone continuation": [0x22, 0x80, 0x22],
    truncated: [0x22, 0xe2, 0x82],
    "byte order mark": [0xef, 0xbb, 0xbf, 0x31],
  };
  for (const [name, body] of Object.entries(bodies)) {
    assert.equal(readJson(Uint8Array.from(body)).ok, false, name);
    assert.deepEqual(read('"€"'), { ok: true, value: "€", unstorable: [] });
  }
});

test("invalid JSON is refused", () => {
  for (const text of ["", " ", "{", "NaN", "01", "{'a':1}", "[1,]", '"\u0000"', "1 2", "\u00a01"]) {
    assert.equal(refusal(text), "The body is not valid JSON.", text);
  }
});

test("NUL and lone surrogates in values and keys are reported with their path", () => {
  assert.deepEqual(
    unstorableIn('{"user":{"name":"a\\u0000"},"items":["\\ud800","\\ud83d\\ude00"]}'),
    [
      { path: "user.name", reason: "nul" },
      { path: "items.0", reason: "lone surrogate" },
    ],
  );
  assert.deepEqual(unstorableIn('"\\udc00"'), [{ path: "", reason: "lone surrogate" }]);
  assert.deepEqual(unstorableIn('{"a\\u0000b":{"c":"\\ud800"}}'), [
    { path: "a\uFFFDb", reason: "nul" },
    { path: "a\uFFFDb.c", reason: "lone surrogate" },
  ]);
  assert.deepEqual(unstorableIn('{"ok":"\\\\u0000 \\n \\u0001 \\ud83d\\ude00"}'), []);
});

test("text at any depth is reported exactly if it contains a NUL or a lone surrogate", () => {
  const unit = fc.constantFrom("a", "\0", "\ud83d", "\ude00", "\\", "€");
  const path = fc.array(fc.constantFrom("user", "items", "0"), { maxLength: 6 });
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 4 }), path, (text, steps) => {
      const value = steps.reduceRight<unknown>((inner, step) => ({ [step]: inner }), text);
      const bad = text.includes("\0") || !text.isWellFormed();
      const paths = unstorableIn(JSON.stringify(value)).map((found) => found.path);
      assert.deepEqual(paths, bad ? [steps.join(".")] : []);
    }),
  );
});

test("at most 20 unstorable strings are listed, with shortened keys", () => {
  const long = "k".repeat(30_000);
  const unstorable = unstorableIn(
    JSON.stringify({ [long]: Array.from({ length: 3_000 }, () => "\0") }),
  );
  assert.equal(unstorable.length, 20);
  assert.ok(JSON.stringify(unstorable).length < 3_000);
});

test("messages never quote the body", () => {
  const secret = "hunter2-secret";
  const bodies = [`{"p":"${secret}"`, `{"${secret}":1,"${secret}":2}`, `"${secret}`, secret];
  bodies.push(`{"${secret}":1e999}`, `${nested(40).slice(0, 40)}"${secret}"${"]".repeat(40)}`);
  for (const body of bodies) {
    const message = refusal(body) ?? "";
    assert.match(message, /^The body [a-zA-Z0-9 -]+\.$/);
    assert.doesNotMatch(message, /hunter/);
  }
});
