import assert from "node:assert/strict";
import { test } from "node:test";
import { withDeadline } from "./deadline.ts";

class TooSlow extends Error {}
const tooSlow = () => new TooSlow();

/** Timers that keep the process alive. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

test("a result and an error pass through unchanged and leave no timer behind", async () => {
  const before = timers();
  assert.equal(await withDeadline(60_000, tooSlow, async () => "answer"), "answer");
  const bug = new TypeError("a bug");
  await assert.rejects(
    withDeadline(60_000, tooSlow, () => Promise.reject(bug)),
    (error) => error === bug,
  );
  assert.equal(timers(), before);
});

test("a call past its deadline rejects with the given error, and its signal aborts with it", async () => {
  let given: AbortSignal | undefined;
  const hanging = withDeadline(1, tooSlow, (signal) => {
    given = signal;
    return new Promise(() => {});
  });
  await assert.rejects(hanging, TooSlow);
  assert.ok(given?.reason instanceof TooSlow);
});

test("an error after the deadline is ignored", async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  await assert.rejects(
    withDeadline(1, tooSlow, () => promise),
    TooSlow,
  );
  reject(new Error("too late"));
  await new Promise((resolve) => setImmediate(resolve));
});
