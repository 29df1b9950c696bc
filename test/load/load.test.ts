import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { burst } from "./burst.ts";
import { databaseOutage } from "./database-outage.ts";
import { checkDatabase } from "./check-database.ts";
import { startTestBed, type TestBed } from "./test-bed.ts";
import { measureMaximumRate, sustain } from "./sustained.ts";

const skip = process.platform === "linux" ? false : "needs Linux's /proc/net/tcp";
const log = () => {};
const maximumRuns = 10;

// The short form of `npm run load`. It asserts no speed, and its rates are low enough for any machine.
forEachEngine((engine) => {
  describe("under load", { skip, timeout: 180_000 }, () => {
    let testBed: TestBed;
    before(async () => {
      testBed = await startTestBed({
        engine,
        population: { accounts: 40, machines: 5_000, renewals: 10, overMs: 10_000 },
      });
    });
    after(() => testBed.close());

    test("every request of the mix gets the expected answer, at the maximum rate and at a steady rate", async () => {
      const { perSecond: maximum, problems } = await measureMaximumRate(testBed, 1);
      assert.deepEqual(problems, []);
      const perSecond = Math.min(50, maximum * 0.7);
      const paced = { perSecond, intervals: 1, intervalSeconds: 3, log };
      const { orders, completed } = testBed.workload.acknowledged;
      // On a busy machine a few seconds may not be enough for a rare operation of the mix.
      for (let run = 0; run === 0 || (completed.length === 0 && run < maximumRuns); run += 1) {
        assert.deepEqual(await sustain(testBed, paced), []);
      }
      assert.ok(orders.length > 0, "the service acknowledged no order");
      assert.ok(completed.length > 0, "the service acknowledged no completed work item");
    });

    // The engine makes no difference to connections, and handshakes are slow.
    const skip = engine === "sqlite" ? false : "runs on SQLite only";
    test("every connection of a burst gets an answer and is closed", { skip }, async () => {
      assert.deepEqual(await burst(testBed, { connections: 300, log }), []);
    });

    test("the service answers 503 during a database outage and recovers without intervention", async () => {
      // A write waits five seconds for SQLite's lock before it gives up.
      const seconds = engine === "sqlite" ? 7 : 2;
      assert.deepEqual(await databaseOutage(testBed, { seconds, perSecond: 20, log }), []);
    });

    test("no acknowledged write is missing, and every invariant holds", async () => {
      assert.deepEqual(await checkDatabase(testBed), []);
    });
  });
});
