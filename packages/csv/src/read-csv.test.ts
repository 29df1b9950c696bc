import assert from "node:assert/strict";
import { test } from "node:test";
import { readCsv } from "./read-csv.ts";

function rowsOf(text: string): readonly (readonly [number, ...string[]])[] {
  const read = readCsv(text);
  if (!read.ok) return [[read.line, read.message]];
  return read.rows.map(({ line, cells }) => [line, ...cells] as const);
}

const tables: [what: string, text: string, ...rows: (readonly [number, ...string[]])[]][] = [
  ["nothing", ""],
  ["empty lines", "\n\r\n \n"],
  ["plain cells", "a,b\n1,2\n", [1, "a", "b"], [2, "1", "2"]],
  ["no line end after the last line", "a,b\n1,2", [1, "a", "b"], [2, "1", "2"]],
  ["line ends of every kind", "a,b\r\n1,2\r3,4\n", [1, "a", "b"], [2, "1", "2"], [3, "3", "4"]],
  [
    "empty cells at every place",
    "a,b,c\n,,x\ny,,\n",
    [1, "a", "b", "c"],
    [2, "", "", "x"],
    [3, "y", "", ""],
  ],
  [
    "empty rows are skipped, and their lines counted",
    "a,b\n\n,\n1,2",
    [1, "a", "b"],
    [4, "1", "2"],
  ],
  ["white space around cells is trimmed", " a ,\tb\n 1 , 2 2 \n", [1, "a", "b"], [2, "1", "2 2"]],
  ["white space in quoted cells is kept", '" a ", "b" \n', [1, " a ", "b"]],
  [
    "separators and doubled quotes in quotes",
    '"a,b;c","say ""x""",""\n',
    [1, "a,b;c", 'say "x"', ""],
  ],
  [
    "line breaks in quotes",
    '"a\nb",c\n"d\r\ne",f\n"g\rh",i\nj,k',
    [1, "a\nb", "c"],
    [3, "d\r\ne", "f"],
    [5, "g\rh", "i"],
    [7, "j", "k"],
  ],
  [
    "semicolons where the first line has no comma",
    'a;b\n1,5;"x;y"\n',
    [1, "a", "b"],
    [2, "1,5", "x;y"],
  ],
  ["commas where it has both", "a,b;c\n", [1, "a", "b;c"]],
  ["a byte order mark", "\uFEFFa,b\n", [1, "a", "b"]],
  ["rows of different lengths", "a,b\n1\n1,2,3\n", [1, "a", "b"], [2, "1"], [3, "1", "2", "3"]],
  ["one column", "a\n1\n", [1, "a"], [2, "1"]],
];
for (const [what, text, ...rows] of tables) {
  test(what, () => assert.deepEqual(rowsOf(text), rows));
}

test("a stray quote is refused with its line", () => {
  for (const [text, line] of [
    ['a,b\n1,2"3\n', 2],
    ['a,b\n"1"2,3\n', 2],
    ['a,b\n"1,2\n3,4\n', 2],
    ['a\n"b\nc"d\n', 3],
    ['a,b\n1,2\n\n3,"4\n5,6\n7,8\n', 4],
    ['a\n"b\r\nc"\nd"\n', 4],
    ['"', 1],
  ] as const) {
    const read = readCsv(text);
    assert.ok(!read.ok, text);
    assert.equal(read.line, line, text);
    assert.match(read.message, /^stray quote\. Put the cell in quotes/);
  }
});

test("a text of four million characters is read or refused", () => {
  const long = "x".repeat(4_000_000);
  assert.equal(readCsv(`"${long}`).ok, false);
  assert.equal(readCsv(`"${'""'.repeat(2_000_000)}`).ok, false);
  assert.equal(readCsv(`${long}\n"${long}"`).ok, true);
  assert.equal(readCsv(",".repeat(4_000_000)).ok, true);
  assert.equal(readCsv("\n".repeat(4_000_000)).ok, true);
  assert.equal(readCsv(`a,b\n${"1\n".repeat(2_000_000)}`).ok, true);
});
