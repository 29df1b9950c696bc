import assert from "node:assert/strict";
import { test } from "node:test";
import { etagOf, readIfMatch } from "./if-match.ts";

test("the etag of a version allows that version", () => {
  for (const version of [0, 7, 123_456]) {
    assert.deepEqual(readIfMatch(etagOf(version)), { ok: true, value: [version] });
  }
});

const lists: [string, readonly number[] | undefined][] = [
  ["*", undefined],
  [" * ", undefined],
  ['"1", "2"', [1, 2]],
  ['"1","2",,\t"3" ,', [1, 2, 3]],
  ['W/"1"', []],
  ['W/"1", "2"', [2]],
  ['"7-gzip"', []],
  ['"a,b", "2"', [2]],
  ['""', []],
  ['"007", "-1", "1.0", "1e3", "99999999999999999999"', []],
  ['"\u00e9"', []],
];
for (const [header, versions] of lists) {
  test(`${header} allows ${versions === undefined ? "any version" : `versions [${versions.join()}]`}`, () => {
    assert.deepEqual(readIfMatch(header), { ok: true, value: versions });
  });
}

test("text that is not a list of etags is refused, even if it is very long", () => {
  const wrong = [
    "",
    " ",
    ",",
    "7",
    "'7'",
    '"7',
    '7"',
    '"7" "8"',
    'w/"7"',
    'W/ "7"',
    '*, "7"',
    '"7", *',
  ];
  for (const header of [...wrong, `"${"a".repeat(16_000)}`, '"7",'.repeat(4_000) + "x"]) {
    const read = readIfMatch(header);
    assert.ok(!read.ok, header);
    assert.match(read.message, /^must be \* or one or more etags/);
  }
});
