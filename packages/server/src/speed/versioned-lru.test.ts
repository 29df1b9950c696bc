import assert from "node:assert/strict";
import { test } from "node:test";
import { VersionedLru } from "./versioned-lru.ts";

/** Whether the key was cached. It is afterwards. */
function ask(cache: VersionedLru<string>, key: string, version = "1"): boolean {
  const cached = cache.get(key, version);
  if (cached === undefined) cache.set(key, version, `${key} ${version}`);
  else assert.equal(cached, `${key} ${version}`);
  return cached !== undefined;
}

test("evicts the keys that were used least recently, and never one that is used all the time", () => {
  const cache = new VersionedLru<string>(10);
  ask(cache, "often");
  for (let other = 0; other < 100; other += 1) {
    assert.equal(ask(cache, `other${other}`), false);
    assert.equal(ask(cache, "often"), true);
  }
  let cached = 0;
  while (ask(cache, `other${99 - cached}`)) cached += 1;
  assert.ok(cached >= 4 && cached < 10, `${cached} are cached`);
});

test("a key has the value of its latest version only", () => {
  const cache = new VersionedLru<string>(10);
  assert.equal(ask(cache, "key", "1"), false);
  assert.equal(ask(cache, "key", "2"), false);
  assert.equal(ask(cache, "key", "2"), true);
  assert.equal(ask(cache, "key", "1"), false);
});

test("a cache for one value has that value", () => {
  const cache = new VersionedLru<string>(1);
  assert.equal(ask(cache, "key"), false);
  assert.equal(ask(cache, "key"), true);
});
