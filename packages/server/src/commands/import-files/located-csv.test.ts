import assert from "node:assert/strict";
import { test } from "node:test";
import { readLocatedCsv } from "./located-csv.ts";

function rowsOf(text: string): readonly (readonly [number, ...string[]])[] {
  const read = readLocatedCsv(text);
  if (!read.ok) return [[read.line, read.message]];
  return read.rows.map(({ line, cells }) => [line, ...cells] as const);
}

const tables: [what: string, text: string, ...rows: (readonly [number, ...string[]])[]][] = [
  ["an empty file has no rows", ""],
  ["empty lines are skipped", "\n\r\n \n"],
  ["unquoted cells", "a,b\n1,2\n", [1, "a", "b"], [2, "1", "2"]],
  ["the last line needs no line break", "a,b\n1,2", [1, "a", "b"], [2, "1", "2"]],
  [
    "CRLF, and a lone CR at the end",
    "a,b\r\n1,2\r\n3,4\r",
    [1, "a", "b"],
    [2, "1", "2"],
    [3, "3", "4"],
  ],
  [
    "empty cells at the start, in the middle and at the end",
    "a,b,c\n,,x\ny,,\n",
    [1, "a", "b", "c"],
    [2, "", "", "x"],
    [3, "y", "", ""],
  ],
  ["empty lines are skipped, but count as lines", "a,b\n\n,\n1,2", [1, "a", "b"], [4, "1", "2"]],
  [
    "white space around unquoted cells is removed",
    " a ,\tb\n 1 , 2 2 \n",
    [1, "a", "b"],
    [2, "1", "2 2"],
  ],
  ["white space inside quotes is kept", '" a ", "b" \n', [1, " a ", "b"]],
  [
    "separators and doubled quotes inside quotes",
    '"a,b;c","say ""x""",""\n',
    [1, "a,b;c", 'say "x"', ""],
  ],
  [
    "line breaks inside quotes",
    '"a\nb",c\n"d\r\ne",f\ng,h',
    [1, "a\nb", "c"],
    [3, "d\r\ne", "f"],
    [5, "g", "h"],
  ],
  [
    "semicolons separate if the first line has no comma",
    'a;b\n1,5;"x;y"\n',
    [1, "a", "b"],
    [2, "1,5", "x;y"],
  ],
  ["commas separate if the first line has both", "a,b;c\n", [1, "a", "b;c"]],
  ["one column", "a\n1\n", [1, "a"], [2, "1"]],
];
for (const [what, text, ...rows] of tables) {
  test(what, () => assert.deepEqual(rowsOf(text), rows));
}

test("a misplaced quote is refused and its line named", () => {
  for (const [text, line] of [
    ['a,b\n1,2"3\n', 2],
    ['a,b\n"1"2,3\n', 2],
    ['a,b\n"1,2\n3,4\n', 2],
    ['a\n"b\nc"d\n', 3],
    ['"', 1],
  ] as const) {
    const read = readLocatedCsv(text);
    assert.ok(!read.ok, text);
    assert.equal(read.line, line, text);
    assert.match(read.message, /must be quoted/);
  }
});

test("4 million characters are parsed or refused without exhausting stack or memory", () => {
  const long = "x".repeat(4_000_000);
  assert.equal(readLocatedCsv(`"${long}`).ok, false);
  assert.equal(readLocatedCsv(`"${'""'.repeat(2_000_000)}`).ok, false);
  assert.equal(readLocatedCsv(`${long}\n"${long}"`).ok, true);
  assert.equal(readLocatedCsv(",".repeat(4_000_000)).ok, true);
  assert.equal(readLocatedCsv("\n".repeat(4_000_000)).ok, true);
});
