import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { keyLocation, readKeys } from "./key-file.ts";

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "ironlease-key-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("20 concurrent calls create one key file, readable by its owner only, and all return its key", async (t) => {
  const data = join(emptyFolder(t), "data");
  const location = keyLocation(undefined, data);
  const all = await Promise.all(Array.from({ length: 20 }, () => readKeys(location)));
  assert.equal(new Set(all.map(([key]) => key?.toString("hex"))).size, 1);
  assert.equal(all[0]?.[0]?.length, 32);
  assert.equal(statSync(location.path).mode & 0o777, 0o600);
  assert.equal(statSync(data).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(data), ["secret.key"]);
  assert.deepEqual(await readKeys(location), all[0]);
});

test("access for other users is removed from our own file", async (t) => {
  const location = keyLocation(undefined, emptyFolder(t));
  const keys = await readKeys(location);
  chmodSync(location.path, 0o644);
  assert.deepEqual(await readKeys(location), keys);
  assert.equal(statSync(location.path).mode & 0o777, 0o600);
});

test("a configured file is read unchanged, one key per line, and never created", async (t) => {
  const path = join(emptyFolder(t), "shared.key");
  const location = keyLocation(path, "/nowhere");
  await assert.rejects(readKeys(location), /cannot be read \(ENOENT\).*openssl rand -base64 32/);
  const keys = [randomBytes(32), randomBytes(32)];
  writeFileSync(path, `${keys.map((key) => key.toString("base64")).join("\r\n")}\n\n`, {
    mode: 0o440,
  });
  assert.deepEqual(await readKeys(location), keys);
  assert.equal(statSync(path).mode & 0o777, 0o440);
});

test("a file with no key, a truncated key or too many keys is rejected with the expected format", async (t) => {
  const path = join(emptyFolder(t), "shared.key");
  const line = `${randomBytes(32).toString("base64")}\n`;
  for (const text of ["", "\n", line.slice(0, 20), `${line}password\n`, line.repeat(11)]) {
    writeFileSync(path, text);
    await assert.rejects(
      readKeys(keyLocation(path, "")),
      /is damaged: it must contain 1 to 10 lines/,
    );
  }
});
