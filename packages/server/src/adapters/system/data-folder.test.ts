import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { folderProblem, createDataFolder } from "./data-folder.ts";

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "ironlease-folder-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("concurrent calls create a folder and its parents, accessible to the owner only", async (t) => {
  const folder = emptyFolder(t);
  const path = join(folder, "a", "b", "c");
  assert.equal(folderProblem(path), undefined);
  await Promise.all(Array.from({ length: 8 }, () => createDataFolder(path)));
  for (const created of ["a", "a/b", "a/b/c"]) {
    assert.equal(statSync(join(folder, created)).mode & 0o777, 0o700);
  }
  await createDataFolder(path);
});

test("both the check and the call explain why a folder cannot be created", async (t) => {
  const file = join(emptyFolder(t), "file");
  writeFileSync(file, "");
  const paths = [file, join(file, "data")];
  // In /proc, a folder that cannot be created does not exist either, and a recursive mkdir never ends.
  if (existsSync("/proc/self")) paths.push("/proc/ironlease/data");
  for (const path of paths) {
    assert.notEqual(folderProblem(path), undefined);
    await assert.rejects(
      createDataFolder(path),
      /^Error: The folder .* cannot be created \(.*\): choose/,
    );
  }
});
