import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { freezeAccount, unfreezeAccount } from "./freeze-account.ts";

forEachEngine((engine) => {
  describe("freezing an account", () => {
    let testCore: TestCore;
    let core: Core;
    let call: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      call = await operatorCall(core, "admin");
    });
    after(() => testCore.dispose());

    const deedsOn = async (subject: string) => {
      const rows = core.db.read.selectFrom("audit").select(["actor", "action", "detail"]);
      const found = await rows.where("subject", "=", subject).orderBy("id").execute();
      return found.map(({ actor, action, detail }) => [actor, action, JSON.parse(detail)]);
    };

    test("an account is frozen immediately and until it is unfrozen, and both are audited with their reason", async () => {
      const { accountId } = await register(core);
      const frozenAt = core.clock.now();
      const summary = await valueOf(freezeAccount(core, call, { accountId, reason: " fraud? " }));
      assert.equal(summary.frozenAt, frozenAt);
      testCore.clock.advance(1_000);
      const again = await valueOf(freezeAccount(core, call, { accountId, reason: "again" }));
      assert.equal(again.frozenAt, frozenAt);
      for (const reason of ["a mistake", "once more"]) {
        const free = await valueOf(unfreezeAccount(core, call, { accountId, reason }));
        assert.equal(free.frozenAt, null);
      }
      const by = call.operator.operatorId;
      assert.deepEqual(await deedsOn(accountId), [
        [by, "account.freeze", { reason: "fraud?" }],
        [by, "account.unfreeze", { reason: "a mistake" }],
      ]);
    });

    test("an unknown account is not found, and a blank reason is refused", async () => {
      const reason = "x";
      for (const set of [freezeAccount, unfreezeAccount]) {
        assert.equal(
          await codeOf(set(core, call, { accountId: "acc_unknown", reason })),
          "not_found",
        );
        const { accountId } = await register(core);
        const fields = await fieldsOf(set(core, call, { accountId, reason: " \n " }));
        assert.deepEqual(fields, [{ field: "reason", message: "must not be empty" }]);
      }
    });

    test("concurrent freezes leave one audit entry", async () => {
      const other = await testCore.reopen();
      const { accountId } = await register(core);
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          freezeAccount(index % 2 === 0 ? core : other, call, { accountId, reason: `${index}` }),
        ),
      );
      assert.ok(results.every((result) => result.ok && result.value.frozenAt !== null));
      assert.equal((await deedsOn(accountId)).length, 1);
    });
  });
});
