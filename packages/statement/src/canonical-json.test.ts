import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson } from "./canonical-json.ts";

/** The example of RFC 8785, section 3.2. */
test("writes the example of RFC 8785 byte for byte", () => {
  const text = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  assert.equal(
    canonicalJson(JSON.parse(text)),
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test("sorts members by UTF-16 code units, on every level", () => {
  const value = {
    "\u20ac": 1,
    "\r": { b: 1, a: 2 },
    "\ufb33": 3,
    1: 4,
    "\ud83d\ude02": 5,
    "\u00f6": 6,
  };
  assert.equal(canonicalJson(value), '{"\\r":{"a":2,"b":1},"1":4,"ö":6,"€":1,"😂":5,"\ufb33":3}');
});

test("refuses values that have no canonical form", () => {
  for (const value of ["\ud83d", Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => canonicalJson({ value }), TypeError);
  }
});
