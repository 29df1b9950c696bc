import assert from "node:assert/strict";
import { test } from "node:test";
import { createArgon2 } from "./argon2.ts";

const passwords = createArgon2();
const password = "correct horse battery staple";

async function hashOf(text: string): Promise<string> {
  const hashed = await passwords.hash(text);
  return hashed.ok ? hashed.value : assert.fail(hashed.refusal.code);
}

test("a hash uses argon2id with 19 MiB, two passes, one lane and a fresh salt", async () => {
  const [first, second] = [await hashOf(password), await hashOf(password)];
  const form = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
  assert.match(first, form);
  assert.match(second, form);
  assert.notEqual(first, second);
});

test("a hash matches only its password: whitespace and case count", async () => {
  const stored = await hashOf(password);
  assert.deepEqual(await passwords.verify(password, stored), { ok: true, value: true });
  for (const other of [`${password} `, ` ${password}`, password.toUpperCase(), ""]) {
    assert.deepEqual(await passwords.verify(other, stored), { ok: true, value: false });
  }
});

test("without a stored hash no password matches", async () => {
  for (const text of [password, ""]) {
    assert.deepEqual(await passwords.verify(text, undefined), { ok: true, value: false });
  }
});

test("a stored hash in another format throws instead of failing as a wrong password", async () => {
  await assert.rejects(passwords.verify(password, password), /not in argon2id format/);
});
