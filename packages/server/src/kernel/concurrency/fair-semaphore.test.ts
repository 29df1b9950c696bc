import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { FairSemaphore, type FairSemaphoreOptions } from "./fair-semaphore.ts";

/** A semaphore whose jobs end when the test says so, and the order in which they started. */
function controlled(options: FairSemaphoreOptions) {
  const semaphore = new FairSemaphore(options);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const enqueue = (name: string, lane: string): Promise<string> =>
    semaphore.run(
      lane,
      () => {
        started.push(name);
        return new Promise<string>((resolve) => ends.push(() => resolve(name)));
      },
      (reason) => `${name} ${reason}`,
    );
  /** Ends one job after another until every queued job has settled. */
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

describe("a fair semaphore", () => {
  test("runs at most as many jobs at once as it has permits", async () => {
    const { enqueue, drain, started } = controlled({ permits: 2, maxWaiting: 9 });
    const queued = ["a", "b", "c"].map((name) => enqueue(name, name));
    await new Promise(setImmediate);
    assert.deepEqual(started, ["a", "b"]);
    assert.deepEqual(await drain(queued), ["a", "b", "c"]);
  });

  test("serves lanes in turn, so a job in another lane overtakes an earlier flood", async () => {
    const { enqueue, drain, started } = controlled({ permits: 1, maxWaiting: 99 });
    const flood = Array.from({ length: 20 }, (_, index) => enqueue(`flood${index}`, "attacker"));
    const others = ["ada", "bob"].map((name) => enqueue(name, name));
    await drain([...flood, ...others]);
    assert.deepEqual(started.slice(0, 5), ["flood0", "flood1", "ada", "bob", "flood2"]);
    assert.deepEqual(
      started.filter((name) => name.startsWith("flood")),
      Array.from({ length: 20 }, (_, index) => `flood${index}`),
    );
  });

  test("drops the newest job of the longest lane when it is full and another lane arrives", async () => {
    const { enqueue, drain } = controlled({ permits: 1, maxWaiting: 4 });
    const flood = Array.from({ length: 8 }, (_, index) => enqueue(`flood${index}`, "attacker"));
    const others = ["ada", "bob"].map((name) => enqueue(name, name));
    const refused = [6, 7, 5, 4, 3].map((index) => `flood${index} full`);
    const all = await drain([...flood, ...others]);
    assert.deepEqual(all.filter((name) => name.endsWith("full")).toSorted(), refused.toSorted());
    assert.deepEqual(all.slice(-2), ["ada", "bob"]);
  });

  test("refuses a newcomer and drops nothing when every lane has one waiting job", async () => {
    const { enqueue, drain } = controlled({ permits: 1, maxWaiting: 2 });
    const queued = ["a", "b", "c", "d"].map((name) => enqueue(name, name));
    assert.deepEqual(await drain(queued), ["a", "b", "c", "d full"]);
  });

  test("serves a lane that waited before one that was running first", async () => {
    const { enqueue, drain, started } = controlled({ permits: 1, maxWaiting: 9 });
    const queued = [enqueue("a1", "a"), enqueue("b1", "b"), enqueue("a2", "a")];
    await drain(queued);
    assert.deepEqual(started, ["a1", "b1", "a2"]);
  });

  test("a job that throws releases its permit", async () => {
    const semaphore = new FairSemaphore({ permits: 1, maxWaiting: 1 });
    const notRun = (reason: string) => assert.fail(reason);
    const failing = semaphore.run("a", () => Promise.reject(new Error("a bug")), notRun);
    const next = semaphore.run("a", async () => "done", notRun);
    await assert.rejects(failing, /a bug/);
    assert.equal(await next, "done");
  });
});
