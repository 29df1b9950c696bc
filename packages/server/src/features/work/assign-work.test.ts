import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { auditOf, completeNow, queueAction, queueWithdrawal } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import { claimWork } from "#test/work.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { assignWork } from "./assign-work.ts";
import { listWork, type WorkFilter } from "./list-work.ts";

forEachEngine((engine) => {
  describe("assigning work", () => {
    let testCore: TestCore;
    let core: Core;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
    });
    after(() => testCore.dispose());

    const idsOf = async (filter: WorkFilter) => (await listWork(core, filter)).map(({ id }) => id);

    test("an assignee finds the item, and another operator can still claim it", async () => {
      const { workId } = await queueAction(core);
      const [ada, bob] = [await operatorCall(core, "support"), await operatorCall(core, "support")];
      const operator = bob.operator.username.toUpperCase();
      const assigned = await valueOf(assignWork(core, ada, { workId, operator }));
      assert.deepEqual([assigned.assignedTo, assigned.claimedBy], [bob.operator.username, null]);
      assert.deepEqual(await idsOf({ operator }), [workId]);
      assert.deepEqual(await idsOf({ operator: ada.operator.username }), []);

      await valueOf(claimWork(core, ada, workId));
      assert.deepEqual(await idsOf({ operator }), [workId]);
      assert.deepEqual(await idsOf({ operator: ada.operator.username }), [workId]);
      assert.deepEqual(await idsOf({ operator, state: "OPEN" }), []);
      const freed = await valueOf(assignWork(core, bob, { workId, operator: null }));
      assert.deepEqual([freed.assignedTo, freed.claimedBy], [null, ada.operator.username]);
      assert.deepEqual(await idsOf({ operator }), []);
      const steps = (await auditOf(core, workId)).map(([, action]) => action);
      assert.equal(steps.filter((action) => action === "work.assign").length, 2);
    });

    test("an unknown, a disabled and an operator without the role are refused", async () => {
      const { workId } = await queueWithdrawal(core);
      const finance = await operatorCall(core, "finance");
      const support = await operatorCall(core, "support");
      const gone = await operatorCall(core, "finance");
      await core.db.write(async (tx) => {
        await tx
          .updateTable("operators")
          .set({ disabled_at: core.clock.now() })
          .where("id", "=", gone.operator.operatorId)
          .execute();
        return ok();
      });
      for (const operator of ["nobody-here", gone.operator.username, support.operator.username]) {
        const fields = await fieldsOf(assignWork(core, finance, { workId, operator }));
        assert.deepEqual(
          fields?.map(({ field }) => field),
          ["operator"],
          operator,
        );
      }
      const own = { workId, operator: finance.operator.username };
      assert.equal(await codeOf(assignWork(core, support, own)), "role_forbidden");
      assert.equal((await valueOf(assignWork(core, finance, own))).assignedTo, own.operator);
    });

    test("an ended item cannot be assigned", async () => {
      const { workId } = await queueAction(core);
      await completeNow(core, workId);
      const call = await operatorCall(core, "support");
      const assignment = { workId, operator: call.operator.username };
      assert.equal(await codeOf(assignWork(core, call, assignment)), "conflict");
      assert.equal(
        await codeOf(assignWork(core, call, { ...assignment, workId: "wrk_nothing" })),
        "not_found",
      );
    });
  });
});
