import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { completeNow, queueAction, queueDdos, queueWithdrawal } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { valueOf } from "#test/use-cases.ts";
import { claimWork, failWork, offerQuote } from "#test/work.ts";
import type { Core } from "#kernel/core.ts";
import { queueWork } from "#kernel/work-queue/items.ts";
import { ok } from "#kernel/result.ts";
import { listWork, type WorkFilter } from "./list-work.ts";

forEachEngine((engine) => {
  describe("the work queue", () => {
    let testCore: TestCore;
    let core: Core;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
    });
    after(() => testCore.dispose());

    const idsOf = async (filter: WorkFilter) => (await listWork(core, filter)).map(({ id }) => id);

    test("can be filtered by kind and state, and an expired claim is OPEN and unclaimed", async () => {
      const [action, second, ddos, withdrawal] = [
        (await queueAction(core)).workId,
        (await queueAction(core)).workId,
        (await queueDdos(core)).workId,
        (await queueWithdrawal(core)).workId,
      ];
      const call = await operatorCall(core, "finance");
      await valueOf(claimWork(core, call, action));
      testCore.clock.advance(core.rules.leaseMs);
      await valueOf(claimWork(core, call, second));
      await completeNow(core, ddos);
      await valueOf(claimWork(core, call, withdrawal));
      await valueOf(failWork(core, call, withdrawal, { reason: "No." }));

      assert.deepEqual(await idsOf({ kind: "SERVER_ACTION" }), [action, second]);
      const shown = (await listWork(core, { kind: "SERVER_ACTION" })).map((item) => [
        ...[item.state, item.claimedBy, item.leaseUntil],
      ]);
      const leaseUntil = core.clock.now() + core.rules.leaseMs;
      assert.deepEqual(shown, [
        ["OPEN", null, null],
        ["CLAIMED", call.operator.username, leaseUntil],
      ]);
      assert.deepEqual(await idsOf({ state: "OPEN" }), [action]);
      assert.deepEqual(await idsOf({ state: "CLAIMED" }), [second]);
      assert.deepEqual(await idsOf({ state: "DONE", kind: "DDOS" }), [ddos]);
      assert.deepEqual(await idsOf({ state: "FAILED" }), [withdrawal]);
      assert.deepEqual(await idsOf({ state: "FAILED", kind: "DDOS" }), []);
      testCore.clock.advance(core.rules.leaseMs);
      assert.deepEqual(await idsOf({ state: "OPEN" }), [action, second]);
      assert.deepEqual(await idsOf({ state: "CLAIMED" }), []);
    });

    test("can be filtered by region, customer and age, and by what is overdue", async () => {
      const old = await queueAction(core);
      testCore.clock.advance(core.rules.workTargetsMs.SERVER_ACTION);
      const { accountId, workId } = await queueAction(core);
      const ddos = await queueDdos(core);
      const { regionId = "" } = (await listWork(core, { accountId }))[0] ?? {};
      assert.equal(regionId, "fra");
      const kind = "SERVER_ACTION";
      assert.deepEqual((await idsOf({ accountId })).slice(-1), [workId]);
      assert.deepEqual(await idsOf({ accountId, kind, state: "OPEN", regionId: "fra" }), [workId]);
      assert.deepEqual(await idsOf({ accountId, kind, state: "DONE" }), []);
      assert.deepEqual(await idsOf({ regionId: "ams" }), []);
      const inRegion = await idsOf({ kind, state: "OPEN", regionId: "fra" });
      assert.deepEqual(inRegion.slice(-2), [old.workId, workId]);
      const aged = await idsOf({ kind, state: "OPEN", minimumAgeHours: "4" });
      assert.deepEqual([aged.at(-1), aged.includes(workId)], [old.workId, false]);
      const overdue = await idsOf({ overdue: "true" });
      assert.deepEqual([overdue.at(-1), overdue.includes(ddos.workId)], [old.workId, false]);
      const [shown] = await listWork(core, { accountId, kind });
      assert.equal(shown?.dueAt, core.clock.now() + core.rules.workTargetsMs.SERVER_ACTION);

      const call = await operatorCall(core, "support");
      await valueOf(claimWork(core, call, ddos.workId));
      await valueOf(offerQuote(core, call, { workId: ddos.workId, quoteUsd: 45 }));
      testCore.clock.advance(2 * core.rules.workTargetsMs.DDOS);
      const late = await idsOf({ overdue: "true" });
      assert.deepEqual([late.includes(workId), late.includes(ddos.workId)], [true, false]);
      const [waiting] = await listWork(core, { accountId: ddos.accountId, state: "WAITING" });
      assert.deepEqual([waiting?.id, waiting?.dueAt], [ddos.workId, null]);
      assert.deepEqual(await idsOf({ overdue: "true", state: "DONE" }), []);
      await completeNow(core, old.workId);
      assert.equal((await idsOf({ overdue: "true" })).includes(old.workId), false);
    });

    test("shows an ended item with its operator and without a lease", async () => {
      const { workId } = await queueAction(core);
      const done = await completeNow(core, workId, { note: "Rebooted by hand." });
      testCore.clock.advance(10 * core.rules.leaseMs);
      const [shown] = (await listWork(core, { state: "DONE", kind: "SERVER_ACTION" })).slice(-1);
      assert.deepEqual({ ...shown, checklist: [] }, done);
      assert.deepEqual([shown?.outcome, shown?.note], ["PERFORMED", "Rebooted by hand."]);
      assert.match(shown?.claimedBy ?? "", /^finance\d+$/);
      assert.equal(shown?.leaseUntil, null);
    });

    test("is ordered oldest first, with 100 items per page, and `after` continues where a page ended", async () => {
      const { accountId, username } = await register(core);
      const item = { kind: "RECLAIM", accountId, detail: {} } as const;
      await core.db.write(async (tx) => {
        await queueWork(
          { tx, core },
          Array.from({ length: 205 }, () => item),
        );
        return ok();
      });
      const pages: string[][] = [];
      let after: string | undefined;
      do {
        pages.push(await idsOf({ kind: "RECLAIM", state: "OPEN", after }));
        after = pages.at(-1)?.at(-1);
      } while (after !== undefined);
      assert.deepEqual(
        pages.map((page) => page.length),
        [100, 100, 5, 0],
      );
      const all = pages.flat();
      assert.deepEqual(all, all.toSorted());
      assert.equal(new Set(all).size, 205);
      const [first] = await listWork(core, { kind: "RECLAIM" });
      assert.deepEqual([first?.username, first?.approvals], [username, []]);
    });
  });
});
