import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Chance } from "./chance.ts";
import { Disk } from "./disk.ts";
import { fates, leftAfterCut, type Fate, type Tree } from "./power-cut.ts";
import type { LogRecord } from "./write-log.ts";

const sector = 512;
const file = 7n;
const folder = 1n;

const begun: readonly LogRecord[] = [
  { kind: "createFolder", inode: folder, path: "" },
  { kind: "createFile", inode: file, path: "file" },
  { kind: "sync", inode: folder },
];

const write = (at: number, text: string, sectors = 1): LogRecord => ({
  ...{ kind: "write", inode: file, at: at * sector },
  bytes: Buffer.alloc(sectors * sector, text),
});
const sync: LogRecord = { kind: "sync", inode: file };

/** What is left of the disk, once for each of many seeds. */
function leftovers(records: readonly LogRecord[], fate?: Fate): readonly Tree[] {
  const disk = new Disk();
  for (const record of [...begun, ...records]) disk.apply(record);
  return Array.from({ length: 200 }, (_, seed) => leftAfterCut(disk.root, new Chance(seed), fate));
}

/** The letters that the file's sectors are full of; a dot for zeros, an x for rubbish. */
function lettersIn(tree: Tree): string {
  const bytes = tree.get("file");
  if (!Buffer.isBuffer(bytes)) return "no file";
  return Array.from({ length: Math.ceil(bytes.length / sector) }, (_, index) => {
    const part = bytes.subarray(index * sector, (index + 1) * sector);
    if (part.some((byte) => byte !== part[0])) return "x";
    return part[0] === 0 ? "." : String.fromCharCode(part[0] ?? 0);
  }).join("");
}

const outcomes = (trees: readonly Tree[]) => [...new Set(trees.map(lettersIn))].toSorted();

describe("what a power cut leaves", () => {
  test("what was synced is there, whatever became of the rest", () => {
    const trees = leftovers([write(0, "a", 3), sync, write(3, "b")]);
    assert.ok(trees.every((tree) => lettersIn(tree).startsWith("aaa")));
  });

  test("of what was not synced there is all, nothing, a part, or rubbish in its place", () => {
    const found = outcomes(leftovers([write(0, "a"), sync, write(1, "b", 2)]));
    for (const expected of ["a", "abb", "ab.", "a.b", "axx"]) {
      assert.ok(found.includes(expected), `${expected} is not among ${found.join(" ")}`);
    }
  });

  test("a sector holds what it held at one moment since its sync, and never a mixture", () => {
    const records = [write(0, "a"), sync, write(0, "b"), write(0, "c")];
    assert.deepEqual(outcomes(leftovers(records)), ["a", "b", "c"]);
  });

  test("a later write may be there without an earlier one", () => {
    const found = outcomes(
      leftovers([write(0, "a", 2), sync, write(0, "b"), write(1, "c")], "some"),
    );
    assert.deepEqual(found, ["aa", "ac", "ba", "bc"]);
  });

  test("writes that reach the disk in order leave no gap", () => {
    const found = outcomes(leftovers([write(0, "a"), write(1, "b"), write(2, "c")], "early"));
    assert.deepEqual(found, ["", "a", "ab", "abc"]);
  });

  test("a truncation that was not synced may not have happened", () => {
    const cut: LogRecord = { kind: "truncate", inode: file, size: sector };
    assert.deepEqual(outcomes(leftovers([write(0, "a", 3), sync, cut], "some")), ["a", "aaa"]);
  });

  test("a file whose folder was not synced may be missing, with all that was synced in it", () => {
    const records: LogRecord[] = [
      { kind: "createFile", inode: 8n, path: "new" },
      { kind: "write", inode: 8n, at: 0, bytes: Buffer.from("text") },
      { kind: "sync", inode: 8n },
    ];
    const left = leftovers(records).map((tree) => tree.has("new"));
    assert.deepEqual(new Set(left), new Set([true, false]));
    const synced = leftovers([...records, { kind: "sync", inode: folder }]);
    for (const tree of synced) assert.deepEqual(tree.get("new"), Buffer.from("text"));
  });

  test("a file that was renamed has its old name or its new one, never both or neither", () => {
    const left = leftovers([{ kind: "rename", path: "file", to: "renamed" }]);
    const names = left.map((tree) => [...tree.keys()].join(" "));
    assert.deepEqual([...new Set(names)].toSorted(), ["file", "renamed"]);
  });

  test("a file that was removed may be there again", () => {
    const left = leftovers([write(0, "a"), sync, { kind: "remove", path: "file" }]);
    assert.deepEqual(outcomes(left), ["a", "no file"]);
  });

  test("the same seed leaves the same disk", () => {
    const records = [write(0, "a", 2), sync, write(0, "b", 4), write(1, "c", 4)];
    for (const fate of fates) assert.deepEqual(leftovers(records, fate), leftovers(records, fate));
  });
});
