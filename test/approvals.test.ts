import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { CompletionInput } from "#server/features/work/completion.ts";
import { readWork } from "#server/features/work/read-work.ts";
import type { Core } from "#server/kernel/core.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import { createTestCore, type TestCore } from "#test/core.ts";
import { auditOf, balanceOf, messageOf, queueWithdrawal, type Queued } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { disableOperator, enableOperator, operatorCall } from "#test/operators.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork } from "#test/work.ts";

const cents = 500_000;
const paid = { transactionId: "0xfeed" };
const other = { transactionId: "0xbeef" };

forEachEngine((engine) => {
  describe("approvals of a large withdrawal", () => {
    let opened: TestCore;
    let core: Core;
    let bob: OperatorCall;
    let eve: OperatorCall;
    before(async () => {
      opened = await createTestCore(engine, { rules: { twoOperatorsFromCents: cents } });
      core = opened.core;
      bob = await operatorCall(core, "finance");
      eve = await operatorCall(core, "finance");
    });
    after(() => opened.dispose());

    const complete = async (by: OperatorCall, { workId }: Queued, input: CompletionInput) => {
      await valueOf(claimWork(core, by, workId));
      return completeWork(core, by, workId, input);
    };
    /** A withdrawal that a new operator has approved. */
    const approved = async (input: CompletionInput) => {
      const ada = await operatorCall(core, "finance");
      const item = await queueWithdrawal(core, cents);
      await valueOf(complete(ada, item, input));
      return { ada, item };
    };
    const heldOf = async ({ accountId }: Queued) => (await balanceOf(core, accountId)).held;

    test("an approval does not count after its operator is disabled, even if enabled again", async () => {
      for (const isEnabledAgain of [false, true]) {
        const { ada, item } = await approved(paid);
        await valueOf(disableOperator(core, ada.operator.username));
        if (isEnabledAgain) await valueOf(enableOperator(core, ada.operator.username));
        const step = await valueOf(complete(bob, item, other));
        assert.equal(step.state, "OPEN");
        assert.equal(await heldOf(item), cents);
        // The transaction of a voided approval stays visible, because it may have been sent.
        assert.deepEqual(
          step.approvals.map((approval) => [approval.transactionId, approval.voidedAt]),
          [
            ["0xfeed", core.clock.now()],
            ["0xbeef", undefined],
          ],
        );
        assert.equal(await codeOf(complete(bob, item, other)), "conflict");
        opened.clock.advance(core.rules.leaseMs);
        assert.equal((await valueOf(complete(eve, item, other))).outcome, "PAID");
        assert.equal(await heldOf(item), 0);
      }
    });

    test("disabling an operator audits each voided approval once", async () => {
      const { ada, item } = await approved({});
      const untouched = await approved({});
      for (let time = 0; time < 2; time += 1) {
        await valueOf(disableOperator(core, ada.operator.username));
      }
      const voided = (await auditOf(core, item.subjectId)).filter(
        ([, action]) => action === "withdrawal.void_approval",
      );
      const detail = { workId: item.workId, operator: ada.operator.username };
      assert.deepEqual(voided, [["system", "withdrawal.void_approval", detail, ""]]);
      const [approval] = (await valueOf(readWork(core, untouched.item.workId))).approvals;
      assert.equal(approval?.voidedAt, undefined);
    });

    test("disabling the approver while another operator completes pays before it or not at all", async () => {
      for (let round = 0; round < 10; round += 1) {
        const { ada, item } = await approved(paid);
        await valueOf(claimWork(core, bob, item.workId));
        const [done] = await Promise.all([
          valueOf(completeWork(core, bob, item.workId, paid)),
          valueOf(disableOperator(core, ada.operator.username)),
        ]);
        const isVoided = done.approvals.some(({ voidedAt }) => voidedAt !== undefined);
        assert.equal(done.outcome, isVoided ? null : "PAID");
        assert.equal(await heldOf(item), isVoided ? cents : 0);
      }
    });

    test("409 conflict names both transactions when two approvers disagree, and pays nothing", async () => {
      const { item } = await approved(paid);
      const asked = complete(bob, item, other);
      assert.equal(await codeOf(asked), "conflict");
      assert.match(await messageOf(asked), /0xfeed.*0xbeef/);
      assert.equal(await heldOf(item), cents);
      assert.equal((await valueOf(completeWork(core, bob, item.workId, paid))).outcome, "PAID");
    });

    test("the first approver can correct the transaction and still counts once", async () => {
      const { ada, item } = await approved(paid);
      const corrected = await valueOf(complete(ada, item, other));
      assert.deepEqual(
        [corrected.state, corrected.approvals.map(({ transactionId }) => transactionId)],
        ["OPEN", ["0xbeef"]],
      );
      assert.equal(await codeOf(complete(ada, item, other)), "conflict");
      opened.clock.advance(core.rules.leaseMs);
      assert.equal((await valueOf(complete(bob, item, other))).outcome, "PAID");
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
