import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedRuns } from "./single-flight.ts";

/** A run that ends when it is told to. */
function runsByHand() {
  const ends: PromiseWithResolvers<number>[] = [];
  const ask = sharedRuns(() => {
    const end = Promise.withResolvers<number>();
    ends.push(end);
    return end.promise;
  });
  return { ends, ask };
}

test("whoever asks meanwhile shares one run, which begins when the one under way has ended", async () => {
  const { ends, ask } = runsByHand();
  const first = ask();
  const others = [ask(), ask(), ask()];
  assert.equal(ends.length, 1);
  ends[0]?.resolve(1);
  assert.equal(await first, 1);
  await Promise.resolve();
  assert.equal(ends.length, 2);
  const late = ask();
  ends[1]?.resolve(2);
  assert.deepEqual(await Promise.all(others), [2, 2, 2]);
  await Promise.resolve();
  ends[2]?.resolve(3);
  assert.equal(await late, 3);
  assert.equal(ends.length, 3);
});

test("a run that fails fails those who share it, and no other", async () => {
  const { ends, ask } = runsByHand();
  const [first, second] = [ask(), ask()];
  ends[0]?.reject(new Error("down"));
  await assert.rejects(first, /down/);
  await Promise.resolve();
  ends[1]?.resolve(2);
  assert.equal(await second, 2);
  const third = ask();
  ends[2]?.resolve(3);
  assert.equal(await third, 3);
});
