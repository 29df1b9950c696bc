import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { seedServer } from "#test/rental.ts";
import { intentOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { answerThread, assignTo } from "./answer-thread.ts";
import { startThread } from "./open-thread.ts";
import { listAllThreads, type ThreadFilter } from "./operator-thread.ts";

forEachEngine((engine) => {
  describe("the operators' list of threads", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    test("filters by what waits for an answer, region, server, age and assignment", async () => {
      const [{ accountId }, eve] = [await register(core), await register(core)];
      const server = await seedServer(core, accountId);
      const start = async (owner: string, subject: string, serverId?: string) => {
        const call = { accountId: owner, client: testClient, intent: intentOf("openThread") };
        const request = { subject, text: "Hello.", serverId };
        return (await valueOf(startThread(core, call, request))).body.thread.id;
      };
      const old = await start(accountId, "old");
      opened.clock.advance(5 * 3_600_000);
      await start(accountId, "server", server.id);
      await start(eve.accountId, "other");
      const support = await operatorCall(core, "support");
      const call = { ...support, intent: intentOf("answerThread") };
      await valueOf(answerThread(core, call, { threadId: old, text: "Hello." }));
      opened.clock.advance(3_600_000);
      await start(eve.accountId, "new");
      const { username } = support.operator;
      await valueOf(assignTo(core, support, { threadId: old, operator: username }));

      const subjects = async (filter: ThreadFilter) =>
        (await listAllThreads(core, filter)).map(({ subject }) => subject);
      assert.deepEqual(await subjects({ unread: "true" }), ["server", "other", "new"]);
      assert.deepEqual(await subjects({ regionId: "fra" }), ["server"]);
      assert.deepEqual(await subjects({ serverId: server.id }), ["server"]);
      assert.deepEqual(await subjects({ assignedTo: username }), ["old"]);
      assert.deepEqual(await subjects({ unread: "true", minimumAgeHours: "1" }), [
        "server",
        "other",
      ]);
      assert.deepEqual(await subjects({ minimumAgeHours: "2" }), []);
    });
  });
});
