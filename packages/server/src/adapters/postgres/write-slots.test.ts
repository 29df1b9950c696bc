import assert from "node:assert/strict";
import { test } from "node:test";
import { Overloaded } from "#ports/db.ts";
import { WriteSlots } from "./write-slots.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Write slots whose writes end when the test says so, and the order in which they began. */
function observed(slots: number, waitMs = 10_000) {
  const queue = new WriteSlots({ slots, waitMs });
  const began: string[] = [];
  const open: (() => void)[] = [];
  const add = (owner: string | undefined) =>
    queue.run(owner, () => {
      began.push(owner ?? "-");
      return new Promise<void>((resolve) => open.push(resolve));
    });
  const endFirst = async () => {
    await nextTurn();
    open.shift()?.();
    await nextTurn();
  };
  return { add, began, endFirst };
}

test("waiting owners take turns, however many writes each has waiting", async () => {
  const { add, began, endFirst } = observed(1);
  const all = ["a", "a", "a", "a", "b", "b", "c"].map(add);
  await nextTurn();
  for (const _ of all) await endFirst();
  await Promise.all(all);
  assert.equal(began.join(""), "aabcaba");
});

test("one owner uses at most half of the slots, and other owners get the rest at once", async () => {
  const { add, began, endFirst } = observed(4);
  const all = ["a", "a", "a", "a", "b", "c", "d"].map(add);
  await nextTurn();
  assert.deepEqual(began, ["a", "a", "b", "c"]);
  for (const _ of all) await endFirst();
  await Promise.all(all);
});

test("writes without an owner leave one slot free for owned writes", async () => {
  const { add, began, endFirst } = observed(4);
  const all = [undefined, undefined, undefined, undefined, "a"].map(add);
  await nextTurn();
  assert.deepEqual(began, ["-", "-", "-", "a"]);
  for (const _ of all) await endFirst();
  await Promise.all(all);
});

test("an owner's queue is bounded, and a full one does not affect other owners", async () => {
  const { add, began, endFirst } = observed(2);
  const all = Array.from({ length: 2_001 }, () => add("a"));
  await assert.rejects(add("a"), Overloaded);
  all.push(add("b"));
  await nextTurn();
  assert.deepEqual(began, ["a", "b"]);
  for (const _ of all) await endFirst();
  await Promise.all(all);
});

test("a write that waits too long is refused, and the slot stays usable", async () => {
  const { add, began, endFirst } = observed(1, 1);
  const first = add("a");
  await assert.rejects(add("b"), Overloaded);
  await endFirst();
  await first;
  const last = add("b");
  await endFirst();
  await last;
  assert.deepEqual(began, ["a", "b"]);
});

test("a write waits past the limit as long as its owner's writes finish", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const queue = new WriteSlots({ slots: 1, waitMs: 10 });
  const ends: (() => void)[] = [];
  const begin = () => queue.run("a", () => new Promise<void>((resolve) => ends.push(resolve)));
  const all = [begin(), begin(), begin()];
  return (async () => {
    for (const _ of all) {
      t.mock.timers.tick(9);
      await nextTurn();
      ends.shift()?.();
      await nextTurn();
    }
    await Promise.all(all);
  })();
});

test("a write that throws releases its slot", async () => {
  const queue = new WriteSlots({ slots: 1, waitMs: 60_000 });
  await assert.rejects(
    queue.run("a", () => Promise.reject(new Error("a bug"))),
    /a bug/,
  );
  assert.equal(await queue.run("b", async () => "ran"), "ran");
});
