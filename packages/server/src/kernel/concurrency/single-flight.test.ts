import assert from "node:assert/strict";
import { test } from "node:test";
import { singleFlight } from "./single-flight.ts";

/** Runs that end when the test says so. */
function controlledRuns() {
  const ends: PromiseWithResolvers<number>[] = [];
  const call = singleFlight(() => {
    const end = Promise.withResolvers<number>();
    ends.push(end);
    return end.promise;
  });
  return { ends, call };
}

test("calls during a run share the next run, which starts when the current one ends", async () => {
  const { ends, call } = controlledRuns();
  const first = call();
  const others = [call(), call(), call()];
  assert.equal(ends.length, 1);
  ends[0]?.resolve(1);
  assert.equal(await first, 1);
  await Promise.resolve();
  assert.equal(ends.length, 2);
  const late = call();
  ends[1]?.resolve(2);
  assert.deepEqual(await Promise.all(others), [2, 2, 2]);
  await Promise.resolve();
  ends[2]?.resolve(3);
  assert.equal(await late, 3);
  assert.equal(ends.length, 3);
});

test("a failed run rejects only the calls that share it", async () => {
  const { ends, call } = controlledRuns();
  const [first, second] = [call(), call()];
  ends[0]?.reject(new Error("down"));
  await assert.rejects(first, /down/);
  await Promise.resolve();
  ends[1]?.resolve(2);
  assert.equal(await second, 2);
  const third = call();
  ends[2]?.resolve(3);
  assert.equal(await third, 3);
});
