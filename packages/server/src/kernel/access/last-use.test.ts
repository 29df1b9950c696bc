import assert from "node:assert/strict";
import { test } from "node:test";
import { createLastUse } from "./last-use.ts";

test("a noted use counts immediately, even before it is stored", async () => {
  const lastUse = createLastUse();
  const { promise, resolve } = Promise.withResolvers<void>();
  lastUse.note("a", 5, () => promise);
  assert.equal(lastUse.latest("a", 1), 5);
  assert.equal(lastUse.latest("a", 7), 7, "the stored time is later");
  assert.equal(lastUse.latest("b", 1), 1);
  resolve();
  await lastUse.settled();
  assert.equal(lastUse.latest("a", 1), 5, "also for a read that began before it was stored");
});

test("a use noted during a store is stored afterwards", async () => {
  const lastUse = createLastUse();
  const stored: number[] = [];
  const store = async (at: number) => {
    stored.push(at);
  };
  lastUse.note("a", 5, store);
  lastUse.note("a", 7, () => assert.fail("not stored at the same time"));
  lastUse.note("a", 9, () => assert.fail("not stored at the same time"));
  assert.equal(lastUse.latest("a", 1), 9);
  await lastUse.settled();
  assert.deepEqual(stored, [5, 9]);
});

test("a session has one store in progress at a time, and all sessions together at most 100", async () => {
  const lastUse = createLastUse();
  const { promise, resolve } = Promise.withResolvers<void>();
  let stored = 0;
  const store = () => {
    stored += 1;
    return promise;
  };
  for (let index = 0; index < 300; index += 1) {
    lastUse.note("same", 5, store);
    lastUse.note(`another ${index}`, index, store);
  }
  assert.equal(stored, 100);
  resolve();
  await lastUse.settled();
  lastUse.note("same", 301, store);
  assert.equal(stored, 101);
  await lastUse.settled();
});

test("a use counts even if storing it fails, and only the first of consecutive failures is reported", async () => {
  const reported: unknown[] = [];
  const lastUse = createLastUse((error) => reported.push(error));
  const fail = () => Promise.reject(new Error("away"));
  for (const id of ["a", "b", "a"]) {
    lastUse.note(id, 5, fail);
    await lastUse.settled();
  }
  assert.equal(reported.length, 1);
  assert.equal(lastUse.latest("a", 1), 5);
  lastUse.note("a", 6, async () => {});
  await lastUse.settled();
  lastUse.note("a", 7, fail);
  await lastUse.settled();
  assert.equal(reported.length, 2, "a success came between");
});

test("beyond the capacity the oldest uses are evicted", async () => {
  const lastUse = createLastUse();
  for (let index = 0; index <= 10_000; index += 1) {
    lastUse.note(String(index), 5, async () => {});
    if (index % 50 === 0) await lastUse.settled();
  }
  await lastUse.settled();
  assert.equal(lastUse.latest("0", 1), 1);
  assert.equal(lastUse.latest("10000", 1), 5);
});
