import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { auditOf, balanceOf, queueProvision, type Queued } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { messagesOf } from "#test/threads.ts";
import { codeOf, freshKey, intentOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork } from "#test/work.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { cancelServer } from "./cancel-server.ts";

const cancelled = "You cancelled the server before delivery";

forEachEngine((engine) => {
  describe("cancelling a server", () => {
    let testCore: TestCore;
    let core: Core;
    let ada: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      ada = await operatorCall(core, "support");
    });
    after(() => testCore.dispose());

    const cancel = ({ accountId, subjectId }: Omit<Queued, "workId">, key = freshKey()) => {
      const intent = intentOf("cancelServer", key);
      return cancelServer(core, { accountId, client: testClient, intent }, subjectId);
    };
    const stateOf = async ({ subjectId, workId }: Queued) => {
      const row = await core.db.read
        .selectFrom("servers")
        .innerJoin("machines", "machines.id", "servers.machine_id")
        .innerJoin("work", "work.server_id", "servers.id")
        .select(["servers.state", "machines.state as machine", "work.state as work"])
        .select("work.outcome")
        .where("servers.id", "=", subjectId)
        .where("work.id", "=", workId)
        .executeTakeFirstOrThrow();
      return [row.state, row.machine, row.work, row.outcome];
    };

    test("refunds its share to the cent, frees the machine and ends the work item", async () => {
      const item = await queueProvision(core, { priceCents: 4_321, configId: "metal-cancel" });
      const { status, body } = await valueOf(cancel(item));
      assert.deepEqual([status, body], [200, { serverId: item.subjectId, refundUsd: 43.21 }]);
      assert.deepEqual(await balanceOf(core, item.accountId), { available: 4_321, held: 0 });
      assert.deepEqual(await stateOf(item), ["TERMINATED", "FREE", "FAILED", "WITHDRAWN"]);
      const [[actor, action, detail] = []] = await auditOf(core, item.subjectId);
      assert.deepEqual(
        [actor, action, detail],
        [item.accountId, "server.cancel", { cents: 4_321 }],
      );
      assert.deepEqual(await messagesOf(core, item.accountId), []);
      const stock = core.db.read.selectFrom("stock").select("free");
      const row = await stock.where("config_id", "=", "metal-cancel").executeTakeFirst();
      assert.equal(row?.free, 1);
    });

    test("the ledger tells the customer that they cancelled, not that the delivery failed", async () => {
      const item = await queueProvision(core, { priceCents: 700 });
      await valueOf(cancel(item));
      const entry = await core.db.read
        .selectFrom("journal")
        .select(["type", "description"])
        .where("cause", "=", `refund/${item.subjectId}`)
        .executeTakeFirstOrThrow();
      assert.deepEqual([entry.type, entry.description], ["REFUND", cancelled]);
    });

    test("of many concurrent requests one refunds, and the same key gets the same answer", async () => {
      const item = await queueProvision(core, { priceCents: 1_000 });
      const key = freshKey();
      const codes = await Promise.all([
        ...Array.from({ length: 4 }, () => codeOf(cancel(item, key))),
        ...Array.from({ length: 4 }, () => codeOf(cancel(item))),
      ]);
      assert.ok(codes.every((code) => code === "ok" || code === "not_found"));
      assert.ok(codes.includes("ok"));
      assert.deepEqual(await balanceOf(core, item.accountId), { available: 1_000, held: 0 });
      const again = await queueProvision(core);
      const first = await valueOf(cancel(again, key));
      const second = await valueOf(cancel(again, key));
      assert.deepEqual([second.body, second.replayed], [first.body, true]);
    });

    test("is refused while an operator holds the item, and possible after the lease", async () => {
      const item = await queueProvision(core, { priceCents: 900 });
      await valueOf(claimWork(core, ada, item.workId));
      assert.equal(await codeOf(cancel(item)), "server_not_ready");
      assert.deepEqual(await stateOf(item), ["PROVISIONING", "RESERVED", "CLAIMED", null]);
      assert.deepEqual(await balanceOf(core, item.accountId), { available: 0, held: 0 });
      testCore.clock.advance(core.rules.leaseMs);
      await valueOf(cancel(item));
      assert.equal(await codeOf(claimWork(core, ada, item.workId)), "conflict");
      assert.equal(await codeOf(completeWork(core, ada, item.workId, {})), "conflict");
      assert.deepEqual(await stateOf(item), ["TERMINATED", "FREE", "FAILED", "WITHDRAWN"]);
    });

    test("of a claim and a cancellation at the same time, exactly one succeeds", async () => {
      for (let round = 0; round < 6; round += 1) {
        const item = await queueProvision(core, { priceCents: 500 });
        const codes = await Promise.all([
          codeOf(claimWork(core, ada, item.workId)),
          codeOf(cancel(item)),
        ]);
        assert.ok(["ok,server_not_ready", "conflict,ok"].includes(codes.join()), codes.join());
        const { available } = await balanceOf(core, item.accountId);
        assert.equal(available, codes[1] === "ok" ? 500 : 0);
      }
    });

    test("a delivered, an ended and another account's server are refused", async () => {
      const item = await queueProvision(core);
      const { accountId } = await register(core);
      assert.equal(await codeOf(cancel({ ...item, accountId })), "not_found");
      await valueOf(claimWork(core, ada, item.workId));
      await valueOf(completeWork(core, ada, item.workId, {}));
      assert.equal(await codeOf(cancel(item)), "server_not_ready");
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
