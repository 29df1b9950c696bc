import assert from "node:assert/strict";
import { test } from "node:test";
import { VersionedLru } from "./versioned-lru.ts";

/** Returns whether the key was cached, and caches it if not. */
function getOrSet(cache: VersionedLru<string>, key: string, version = "1"): boolean {
  const cached = cache.get(key, version);
  if (cached === undefined) cache.set(key, version, `${key} ${version}`);
  else assert.equal(cached, `${key} ${version}`);
  return cached !== undefined;
}

test("evicts the least recently used keys and never a frequently used one", () => {
  const cache = new VersionedLru<string>(10);
  getOrSet(cache, "often");
  for (let other = 0; other < 100; other += 1) {
    assert.equal(getOrSet(cache, `other${other}`), false);
    assert.equal(getOrSet(cache, "often"), true);
  }
  let cached = 0;
  while (getOrSet(cache, `other${99 - cached}`)) cached += 1;
  assert.ok(cached >= 4 && cached < 10, `${cached} are cached`);
});

test("a key has only the value of its latest version", () => {
  const cache = new VersionedLru<string>(10);
  assert.equal(getOrSet(cache, "key", "1"), false);
  assert.equal(getOrSet(cache, "key", "2"), false);
  assert.equal(getOrSet(cache, "key", "2"), true);
  assert.equal(getOrSet(cache, "key", "1"), false);
});

test("a cache with capacity 1 caches one value", () => {
  const cache = new VersionedLru<string>(1);
  assert.equal(getOrSet(cache, "key"), false);
  assert.equal(getOrSet(cache, "key"), true);
});
