import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SeededRandom } from "./seeded-random.ts";
import { Disk } from "./disk.ts";
import { survivalModes, treeAfterCut, type SurvivalMode, type Tree } from "./power-cut.ts";
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
  kind: "write",
  inode: file,
  at: at * sector,
  bytes: Buffer.alloc(sectors * sector, text),
});
const sync: LogRecord = { kind: "sync", inode: file };

/** The disk after a cut, for each of many seeds. */
function treesAfterCut(
  records: readonly LogRecord[],
  survivalMode?: SurvivalMode,
): readonly Tree[] {
  const disk = new Disk();
  for (const record of [...begun, ...records]) disk.apply(record);
  return Array.from({ length: 200 }, (_, seed) =>
    treeAfterCut(disk.root, new SeededRandom(seed), survivalMode),
  );
}

/** One character per sector of the file: its letter, a dot for zeros, or an x for garbage. */
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

describe("the disk after a power cut", () => {
  test("synced data is present", () => {
    const trees = treesAfterCut([write(0, "a", 3), sync, write(3, "b")]);
    assert.ok(trees.every((tree) => lettersIn(tree).startsWith("aaa")));
  });

  test("unsynced data is present, missing, partly present or garbage", () => {
    const found = outcomes(treesAfterCut([write(0, "a"), sync, write(1, "b", 2)]));
    for (const expected of ["a", "abb", "ab.", "a.b", "axx"]) {
      assert.ok(found.includes(expected), `${expected} is not among ${found.join(" ")}`);
    }
  });

  test("a sector holds its content of one moment since its last sync, never a mixture", () => {
    const records = [write(0, "a"), sync, write(0, "b"), write(0, "c")];
    assert.deepEqual(outcomes(treesAfterCut(records)), ["a", "b", "c"]);
  });

  test("a later write may be present without an earlier one", () => {
    const found = outcomes(
      treesAfterCut([write(0, "a", 2), sync, write(0, "b"), write(1, "c")], "some"),
    );
    assert.deepEqual(found, ["aa", "ac", "ba", "bc"]);
  });

  test("mode early leaves no gaps, because writes reach the disk in order", () => {
    const found = outcomes(treesAfterCut([write(0, "a"), write(1, "b"), write(2, "c")], "early"));
    assert.deepEqual(found, ["", "a", "ab", "abc"]);
  });

  test("an unsynced truncation may be lost", () => {
    const cut: LogRecord = { kind: "truncate", inode: file, size: sector };
    assert.deepEqual(outcomes(treesAfterCut([write(0, "a", 3), sync, cut], "some")), ["a", "aaa"]);
  });

  test("a file may be missing despite its own sync until its folder is synced", () => {
    const records: LogRecord[] = [
      { kind: "createFile", inode: 8n, path: "new" },
      { kind: "write", inode: 8n, at: 0, bytes: Buffer.from("text") },
      { kind: "sync", inode: 8n },
    ];
    const left = treesAfterCut(records).map((tree) => tree.has("new"));
    assert.deepEqual(new Set(left), new Set([true, false]));
    const synced = treesAfterCut([...records, { kind: "sync", inode: folder }]);
    for (const tree of synced) assert.deepEqual(tree.get("new"), Buffer.from("text"));
  });

  test("a renamed file has its old or its new name, never both or neither", () => {
    const left = treesAfterCut([{ kind: "rename", path: "file", to: "renamed" }]);
    const names = left.map((tree) => [...tree.keys()].join(" "));
    assert.deepEqual([...new Set(names)].toSorted(), ["file", "renamed"]);
  });

  test("a removed file may reappear", () => {
    const left = treesAfterCut([write(0, "a"), sync, { kind: "remove", path: "file" }]);
    assert.deepEqual(outcomes(left), ["a", "no file"]);
  });

  test("the same seed leaves the same disk", () => {
    const records = [write(0, "a", 2), sync, write(0, "b", 4), write(1, "c", 4)];
    for (const survivalMode of survivalModes)
      assert.deepEqual(treesAfterCut(records, survivalMode), treesAfterCut(records, survivalMode));
  });
});
