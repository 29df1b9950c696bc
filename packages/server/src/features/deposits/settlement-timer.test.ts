import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TestCore } from "#test/core.ts";
import { createDepositCore, scriptedSettlement } from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import type { Core } from "#kernel/core.ts";
import type { Scan } from "#ports/settlement.ts";
import { startSettlementWatch } from "./settlement-timer.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;

  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
  });
  after(() => opened.dispose());

  const cursor = { height: 0, hash: "" };
  const page: Scan = { cursor, undone: 0, outputs: [], fates: [], hasMore: false };
  const scannedBy = (scan: () => Promise<Scan>): Core => ({
    ...core,
    settlement: scriptedSettlement({ scan }),
  });
  const start = (on: Core, report: (error: unknown) => void) => {
    const [job] = startSettlementWatch(on, { everyMs: 1, report });
    return job!;
  };

  test("passes run one after another, never two at once, and continue after a failure", async () => {
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    let [calls, open, most] = [0, 0, 0];
    const reported: unknown[] = [];
    const failure = new Error("down for a moment");
    const watch = start(
      scannedBy(async () => {
        calls += 1;
        open += 1;
        most = Math.max(most, open);
        await new Promise((done) => setImmediate(done));
        open -= 1;
        if (calls === 5) resolve();
        if (calls === 2 || calls === 3) throw failure;
        return page;
      }),
      (error) => reported.push(error),
    );
    await enough;
    await watch.stop();
    assert.equal(most, 1);
    assert.deepEqual(reported, [failure, failure]);
  });

  test("stop waits for the running pass, and no other begins", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<Scan>();
    let calls = 0;
    const watch = start(
      scannedBy(() => {
        calls += 1;
        begin();
        return answered;
      }),
      () => {},
    );
    await begun;
    let isStopped = false;
    const stopped = watch.stop().then(() => (isStopped = true));
    await new Promise((done) => setImmediate(done));
    assert.equal(isStopped, false);
    answer(page);
    await stopped;
    assert.equal(calls, 1);
    await watch.stop();
  });

  test("stop before the first pass returns at once", async () => {
    const watch = start(
      scannedBy(() => assert.fail("no pass should begin")),
      () => assert.fail("nothing should fail"),
    );
    await watch.stop();
  });
});
