import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createHashQueue } from "./hash-queue.ts";

/** A queue whose jobs end when the test says so, and a record of which have started. */
function controlledQueue(bounds: { maxRunning: number; maxWaiting: number }) {
  const inQueue = createHashQueue(bounds);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const enqueue = async (name: string, lane: string): Promise<string> => {
    const result = await inQueue(lane, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
    return result.ok ? result.value : `${name} ${result.refusal.code}`;
  };
  /** Lets one job after the other end until all that were queued are settled. */
  const drain = async (queued: readonly Promise<string>[]): Promise<readonly string[]> => {
    const state = { isSettled: false };
    const all = Promise.all(queued).finally(() => (state.isSettled = true));
    while (!state.isSettled) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }
    return all;
  };
  return { enqueue, drain, started };
}

describe("a fair queue", () => {
  test("runs at most so many jobs at once", async () => {
    const { enqueue, drain, started } = controlledQueue({ maxRunning: 2, maxWaiting: 9 });
    const queued = ["a", "b", "c"].map((name) => enqueue(name, name));
    await new Promise(setImmediate);
    assert.deepEqual(started, ["a", "b"]);
    assert.deepEqual(await drain(queued), ["a", "b", "c"]);
  });

  test("lanes take turns: a job of another lane passes a flood that came first", async () => {
    const { enqueue, drain, started } = controlledQueue({ maxRunning: 1, maxWaiting: 99 });
    const flood = Array.from({ length: 20 }, (_, index) => enqueue(`flood${index}`, "attacker"));
    const others = ["ada", "bob"].map((name) => enqueue(name, name));
    await drain([...flood, ...others]);
    assert.deepEqual(started.slice(0, 5), ["flood0", "flood1", "ada", "bob", "flood2"]);
    assert.deepEqual(
      started.filter((name) => name.startsWith("flood")),
      Array.from({ length: 20 }, (_, index) => `flood${index}`),
    );
  });

  test("full, it drops the newest job of its longest lane and takes the other lane's", async () => {
    const { enqueue, drain } = controlledQueue({ maxRunning: 1, maxWaiting: 4 });
    const flood = Array.from({ length: 8 }, (_, index) => enqueue(`flood${index}`, "attacker"));
    const others = ["ada", "bob"].map((name) => enqueue(name, name));
    const refused = [6, 7, 5, 4, 3].map((index) => `flood${index} rate_limited`);
    const all = await drain([...flood, ...others]);
    assert.deepEqual(
      all.filter((name) => name.endsWith("rate_limited")).toSorted(),
      refused.toSorted(),
    );
    assert.deepEqual(all.slice(-2), ["ada", "bob"]);
  });

  test("full of lanes with one job each, it refuses a newcomer and drops none", async () => {
    const { enqueue, drain } = controlledQueue({ maxRunning: 1, maxWaiting: 2 });
    const queued = ["a", "b", "c", "d"].map((name) => enqueue(name, name));
    assert.deepEqual(await drain(queued), ["a", "b", "c", "d rate_limited"]);
  });

  test("a job that throws gives its place to the next", async () => {
    const inQueue = createHashQueue({ maxRunning: 1, maxWaiting: 1 });
    const failing = inQueue("a", async () => {
      throw new Error("a bug");
    });
    const next = inQueue("a", async () => "done");
    await assert.rejects(failing, /a bug/);
    assert.deepEqual(await next, { ok: true, value: "done" });
  });
});
