import assert from "node:assert/strict";
import { test } from "node:test";
import { SettlementUnavailable } from "#ports/settlement.ts";
import { boundedCall } from "./deadline.ts";

/** Timers that would keep the process waiting. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

test("an answer and an error come through as they are, and leave no timer behind", async () => {
  const before = timers();
  assert.equal(await boundedCall(60_000, async () => "answer"), "answer");
  const bug = new TypeError("a bug");
  await assert.rejects(
    boundedCall(60_000, () => Promise.reject(bug)),
    (error) => error === bug,
  );
  assert.equal(timers(), before);
});

test("a call that takes too long is given up as unavailable, and its signal says so", async () => {
  let given: AbortSignal | undefined;
  const hanging = boundedCall(1, (signal) => {
    given = signal;
    return new Promise(() => {});
  });
  await assert.rejects(hanging, SettlementUnavailable);
  assert.ok(given?.reason instanceof SettlementUnavailable);
});

test("an error that comes after the end is nobody's", async () => {
  const { promise, reject } = Promise.withResolvers<never>();
  await assert.rejects(
    boundedCall(1, () => promise),
    SettlementUnavailable,
  );
  reject(new Error("too late"));
  await new Promise((resolve) => setImmediate(resolve));
});
