import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { folderProblem, makeDataFolder } from "./data-folder.ts";

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "ironlease-folder-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("concurrent calls create a folder and its parents for the owner alone", async (t) => {
  const folder = emptyFolder(t);
  const path = join(folder, "a", "b", "c");
  assert.equal(folderProblem(path), undefined);
  await Promise.all(Array.from({ length: 8 }, () => makeDataFolder(path)));
  for (const made of ["a", "a/b", "a/b/c"]) {
    assert.equal(statSync(join(folder, made)).mode & 0o777, 0o700);
  }
  await makeDataFolder(path);
});

test("a folder that cannot be created is reported in a sentence, by the check and by the call", async (t) => {
  const file = join(emptyFolder(t), "file");
  writeFileSync(file, "");
  const paths = [file, join(file, "data")];
  // In /proc, a folder that cannot be created does not exist either, and a recursive mkdir never ends.
  if (existsSync("/proc/self")) paths.push("/proc/ironlease/data");
  for (const path of paths) {
    assert.notEqual(folderProblem(path), undefined);
    await assert.rejects(
      makeDataFolder(path),
      /^Error: The folder .* cannot be made \(.*\): choose/,
    );
  }
});
