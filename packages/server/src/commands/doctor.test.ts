import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { createTestCore } from "../../../../test/support/core.ts";
import { addTestOperator } from "../../../../test/support/operators.ts";
import { keyPlace, readKeys } from "../adapters/system/key-file.ts";
import { examine } from "./doctor.ts";

async function examined(env: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const code = await examine({ IRONLEASE_TLS: "off", ...env }, (line) => lines.push(line));
  const on = (subject: string) => lines.find((line) => line.slice(5).startsWith(`${subject}:`));
  return { code, on };
}

function emptyFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "ironlease-doctor-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("before the first start a key is promised, and none is made by looking", async (t) => {
  const IRONLEASE_DATA = join(emptyFolder(t), "data");
  const { code, on } = await examined({ IRONLEASE_DATA });
  assert.equal(code, 0);
  assert.match(on("second factors") ?? "", /^ok .*a key will be made at the first start$/);
  assert.ok(!existsSync(IRONLEASE_DATA));
});

test("a second factor that the key does not open is told by whose it is, with or without a key file", async (t) => {
  const opened = await createTestCore("sqlite");
  t.after(() => opened.dispose());
  const { core } = opened;
  const totpSecret = await core.sealing.seal("JBSWY3DPEHPK3PXP", "totp opr_elsewhere");
  const { username } = await addTestOperator(core, "admin", { totpSecret });
  const IRONLEASE_DATA = dirname(opened.location);
  const expected = new RegExp(`^BAD .*second factor of ${username} .*operator reset ${username}`);
  const without = await examined({ IRONLEASE_DATA });
  assert.match(without.on("second factors") ?? "", expected);
  await readKeys(keyPlace(undefined, IRONLEASE_DATA));
  const { code, on } = await examined({ IRONLEASE_DATA });
  assert.match(on("second factors") ?? "", expected);
  assert.equal(code, 1);
  const elsewhere = await examined({ IRONLEASE_DATA, IRONLEASE_OPERATOR_LISTEN: "off" });
  assert.match(elsewhere.on("second factors") ?? "", /^ok .*no desk here, no key needed$/);
});

test("a key file that was named must be there, and not be open to others", async (t) => {
  const folder = emptyFolder(t);
  const env = { IRONLEASE_DATA: join(folder, "data"), IRONLEASE_SECRET_FILE: join(folder, "key") };
  const missing = await examined(env);
  // Nothing is there to be opened yet, and still the start would stop.
  assert.match(missing.on("second factors") ?? "", /^BAD .*cannot be read \(ENOENT\)/);
  writeFileSync(env.IRONLEASE_SECRET_FILE, `${Buffer.alloc(32, 7).toString("base64")}\n`);
  chmodSync(env.IRONLEASE_SECRET_FILE, 0o644);
  const open = await examined(env);
  assert.match(open.on("second factors") ?? "", /^BAD .*others can read .*: chmod 600/);
  chmodSync(env.IRONLEASE_SECRET_FILE, 0o600);
  assert.equal((await examined(env)).code, 0);
});

test("a database elsewhere without a checked certificate is told, and the password is not", async () => {
  const IRONLEASE_DATABASE_URL = "postgres://rent:hunter2@db.invalid/ironlease";
  const { on } = await examined({ IRONLEASE_DATABASE_URL });
  const line = on("database link") ?? "";
  assert.match(line, /^BAD .*sslmode=verify-full/);
  assert.ok(!line.includes("hunter2"));
  const verified = { IRONLEASE_DATABASE_URL: `${IRONLEASE_DATABASE_URL}?sslmode=verify-full` };
  assert.match((await examined(verified)).on("database link") ?? "", /^ok /);
});
