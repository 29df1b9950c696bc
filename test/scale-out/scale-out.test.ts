import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { test } from "node:test";
import { until } from "../load/poll.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { runTrial } from "./trial.ts";

// The short form of `npm run scale-out`.
test("every call succeeds exactly once while three instances restart in turn and one is killed", async (t) => {
  const database = await createTestDatabase();
  const seed = randomInt(2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const { callLog, problems } = await runTrial({
    databaseUrl: database.url,
    seed,
    customers: 3,
    machines: 5_000,
    pauseMs: 100,
    renewals: 5,
    overMs: 5_000,
    disturb: async (cluster, { acknowledged, completed }, random) => {
      const hasOrders = (count: number) => () => acknowledged.placeOrder.size >= count;
      await until("callers have placed 5 orders", hasOrders(5));
      await cluster.restartAll();
      const before = acknowledged.placeOrder.size;
      await cluster.kill(Math.floor(random() * 3));
      await until("callers have placed 5 more orders", hasOrders(before + 5));
      await until("a work item is completed", () => completed.size > 0);
    },
  });
  assert.deepEqual(problems, []);
  assert.ok(callLog.calls > 50, `${callLog.calls} calls`);
});
