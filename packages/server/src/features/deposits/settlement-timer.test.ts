import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TestCore } from "#test/core.ts";
import { createDepositCore, scriptedSettlement } from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import type { Core } from "#kernel/core.ts";
import type { SettlementNews } from "#ports/settlement.ts";
import { startSettlementWatch } from "./settlement-timer.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;

  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
  });
  after(() => opened.dispose());

  const news: SettlementNews = { cursor: "0", outputs: [], hasMore: false };
  const watchedBy = (watch: () => Promise<SettlementNews>): Core => ({
    ...core,
    settlement: scriptedSettlement({ watch }),
  });

  test("passes run one after another, never two at once, and continue after a failure", async () => {
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    let [calls, open, most] = [0, 0, 0];
    const reported: unknown[] = [];
    const failure = new Error("down for a moment");
    const watch = startSettlementWatch(
      watchedBy(async () => {
        calls += 1;
        open += 1;
        most = Math.max(most, open);
        await new Promise((done) => setImmediate(done));
        open -= 1;
        if (calls === 5) resolve();
        if (calls === 2 || calls === 3) throw failure;
        return news;
      }),
      (error) => reported.push(error),
      1,
    );
    await enough;
    await watch.stop();
    assert.equal(most, 1);
    assert.deepEqual(reported, [failure, failure]);
  });

  test("stop waits for the running pass, and no other begins", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: answered, resolve: answer } = Promise.withResolvers<SettlementNews>();
    let calls = 0;
    const watch = startSettlementWatch(
      watchedBy(() => {
        calls += 1;
        begin();
        return answered;
      }),
      () => {},
      1,
    );
    await begun;
    let isStopped = false;
    const stopped = watch.stop().then(() => (isStopped = true));
    await new Promise((done) => setImmediate(done));
    assert.equal(isStopped, false);
    answer(news);
    await stopped;
    assert.equal(calls, 1);
    await watch.stop();
  });

  test("stop before the first pass returns at once", async () => {
    const watch = startSettlementWatch(
      watchedBy(() => assert.fail("no pass should begin")),
      () => assert.fail("nothing should fail"),
      1,
    );
    await watch.stop();
  });
});
