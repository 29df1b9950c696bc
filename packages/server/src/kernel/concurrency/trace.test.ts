import assert from "node:assert/strict";
import { test } from "node:test";
import { startIntervalJob } from "./interval-job.ts";
import { currentTrace, traceHeaders, withTrace } from "./trace.ts";

const trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

test("work has the trace of the request that causes it, across awaits, and other work has none", async () => {
  assert.deepEqual(traceHeaders(), {});
  const inside = withTrace(trace, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return traceHeaders();
  });
  assert.equal(currentTrace(), undefined);
  assert.deepEqual(await inside, { traceparent: trace });
});

test("a job has no trace, although a request starts it, wakes it and runs while it is scheduled again", async (t) => {
  const seen: (string | undefined)[] = [];
  let ran = Promise.withResolvers<void>();
  const run = async () => {
    seen.push(currentTrace());
    ran.resolve();
    return [];
  };
  // The job's own timers do not keep the process alive.
  const alive = setInterval(() => {}, 1_000);
  t.after(() => clearInterval(alive));
  const job = withTrace(trace, () => startIntervalJob(run, 60_000, assert.ifError));
  await ran.promise;
  for (let wakes = 0; wakes < 2; wakes += 1) {
    ran = Promise.withResolvers();
    withTrace(trace, () => job.wake());
    await ran.promise;
  }
  await job.stop();
  assert.deepEqual(seen, [undefined, undefined, undefined]);
});
