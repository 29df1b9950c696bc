import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { keyPlace, readKeys } from "./key-file.ts";

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "ironlease-key-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("twenty concurrent calls create one key file, for its owner alone, and all return its key", async (t) => {
  const data = join(emptyFolder(t), "data");
  const place = keyPlace(undefined, data);
  const all = await Promise.all(Array.from({ length: 20 }, () => readKeys(place)));
  assert.equal(new Set(all.map(([key]) => key?.toString("hex"))).size, 1);
  assert.equal(all[0]?.[0]?.length, 32);
  assert.equal(statSync(place.path).mode & 0o777, 0o600);
  assert.equal(statSync(data).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(data), ["secret.key"]);
  assert.deepEqual(await readKeys(place), all[0]);
});

test("access for other users is removed from our own file", async (t) => {
  const place = keyPlace(undefined, emptyFolder(t));
  const made = await readKeys(place);
  chmodSync(place.path, 0o644);
  assert.deepEqual(await readKeys(place), made);
  assert.equal(statSync(place.path).mode & 0o777, 0o600);
});

test("a configured file is read unchanged, one key per line, and never created", async (t) => {
  const path = join(emptyFolder(t), "shared.key");
  const place = keyPlace(path, "/nowhere");
  await assert.rejects(readKeys(place), /cannot be read \(ENOENT\).*openssl rand -base64 32/);
  const keys = [randomBytes(32), randomBytes(32)];
  writeFileSync(path, `${keys.map((key) => key.toString("base64")).join("\r\n")}\n\n`, {
    mode: 0o440,
  });
  assert.deepEqual(await readKeys(place), keys);
  assert.equal(statSync(path).mode & 0o777, 0o440);
});

test("a file with no key, half a key or too many is rejected, and the error says what it must hold", async (t) => {
  const path = join(emptyFolder(t), "shared.key");
  const line = `${randomBytes(32).toString("base64")}\n`;
  for (const text of ["", "\n", line.slice(0, 20), `${line}password\n`, line.repeat(11)]) {
    writeFileSync(path, text);
    await assert.rejects(readKeys(keyPlace(path, "")), /is damaged: it must hold 1 to 10 lines/);
  }
});
