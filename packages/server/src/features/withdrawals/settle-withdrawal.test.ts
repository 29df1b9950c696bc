import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { maxCents } from "@ironlease/contract";
import { createTestCore, type TestCore } from "#test/core.ts";
import { auditOf, balanceOf, messageOf, queueWithdrawal, type Queued } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { adjust } from "#test/rental-service.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork, failWork, readWork, type CompletionInput } from "#test/work.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";

const threshold = 500_000;
const reason = "The destination is on a list.";
const paid = { transactionId: "0xfeed" };

forEachEngine((engine) => {
  describe("the review of a withdrawal", () => {
    let testCore: TestCore;
    let core: Core;
    let ada: OperatorCall;
    let bob: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine, { rules: { twoOperatorsFromCents: threshold } });
      ({ core } = testCore);
      ada = await operatorCall(core, "finance");
      bob = await operatorCall(core, "admin");
    });
    after(() => testCore.dispose());

    const complete = async (by: OperatorCall, { workId }: Queued, input: CompletionInput) => {
      await valueOf(claimWork(core, by, workId));
      return completeWork(core, by, workId, input);
    };
    const fail = async (by: OperatorCall, { workId }: Queued) => {
      await valueOf(claimWork(core, by, workId));
      return failWork(core, by, workId, { reason });
    };
    const withdrawalOf = async ({ subjectId }: Queued) => {
      const query = core.db.read.selectFrom("withdrawals").selectAll();
      const row = await query.where("id", "=", subjectId).executeTakeFirstOrThrow();
      return [row.status, row.transaction_id, row.resolved_at];
    };
    const movesOf = ({ subjectId }: Queued) =>
      core.db.read
        .selectFrom("journal")
        .select(["type", "cause", "to_account", "description"])
        .where("reference_id", "=", subjectId)
        .orderBy("sequence")
        .execute();

    test("below the threshold one operator pays: the held money becomes a payout with its transaction", async () => {
      const item = await queueWithdrawal(core, threshold - 1);
      const done = await valueOf(complete(ada, item, { ...paid, note: "From the hot wallet." }));
      assert.deepEqual([done.state, done.outcome, done.approvals], ["DONE", "PAID", []]);
      assert.deepEqual(await withdrawalOf(item), ["PAID", "0xfeed", core.clock.now()]);
      assert.deepEqual(await balanceOf(core, item.accountId), { available: 0, held: 0 });
      const payout = (await movesOf(item)).at(-1);
      assert.deepEqual(
        [payout?.type, payout?.cause, payout?.to_account, payout?.description],
        [
          ...["WITHDRAWAL_PAYOUT", `withdrawal/${item.subjectId}/payout`, "house/payouts"],
          "Withdrawal in ETH, paid. Transaction 0xfeed",
        ],
      );
      const detail = { asset: "ETH", cents: threshold - 1, transactionId: "0xfeed" };
      assert.deepEqual((await auditOf(core, item.subjectId)).at(-1), [
        ...[ada.operator.operatorId, "withdrawal.pay"],
        { workId: item.workId, ...detail },
        "192.0.2.9",
      ]);
    });

    test("without a transaction id nothing is paid, with or without a lease", async () => {
      const item = await queueWithdrawal(core, 100);
      for (const isClaimed of [false, true]) {
        if (isClaimed) await valueOf(claimWork(core, ada, item.workId));
        const asked = completeWork(core, ada, item.workId, {});
        assert.equal(await codeOf(asked), "validation_failed");
        assert.equal((await fieldsOf(asked))?.[0]?.field, "transactionId");
      }
      assert.deepEqual(await withdrawalOf(item), ["PENDING_REVIEW", null, null]);
      await valueOf(completeWork(core, ada, item.workId, paid));
    });

    test("one transaction may pay several withdrawals", async () => {
      for (const cents of [100, 200]) {
        const item = await queueWithdrawal(core, cents);
        await valueOf(complete(bob, item, { transactionId: "0xbatch" }));
      }
    });

    test("a rejection returns the money, and the customer reads why", async () => {
      const item = await queueWithdrawal(core, 4_200);
      const failed = await valueOf(fail(ada, item));
      assert.deepEqual([failed.state, failed.outcome], ["FAILED", "REJECTED"]);
      assert.deepEqual(await withdrawalOf(item), ["REJECTED", null, core.clock.now()]);
      assert.deepEqual(await balanceOf(core, item.accountId), { available: 4_200, held: 0 });
      const release = (await movesOf(item)).at(-1);
      assert.deepEqual(
        [release?.type, release?.cause, release?.description],
        [
          ...["WITHDRAWAL_RELEASE", `withdrawal/${item.subjectId}/release`],
          `Withdrawal in ETH, rejected: ${reason}`,
        ],
      );
      assert.equal((await auditOf(core, item.subjectId)).at(-1)?.[1], "withdrawal.reject");
    });

    test("at the threshold or above, the first approval leaves the item OPEN and another operator resolves it", async () => {
      const item = await queueWithdrawal(core, threshold);
      testCore.clock.advance(1_000);
      const at = core.clock.now();
      const approved = await valueOf(complete(ada, item, { note: "Called the customer." }));
      assert.deepEqual(
        [approved.state, approved.claimedBy, approved.leaseUntil, approved.outcome, approved.note],
        ["OPEN", null, null, null, null],
      );
      assert.deepEqual(approved.approvals, [
        { ...ofApproval(ada), at, note: "Called the customer." },
      ]);
      assert.equal((await movesOf(item)).length, 1);
      assert.deepEqual(await withdrawalOf(item), ["PENDING_REVIEW", null, null]);

      for (const input of [paid, {}]) {
        const again = complete(ada, item, input);
        assert.equal(await codeOf(again), "conflict");
        assert.match(await messageOf(again), /Another operator must complete it/);
      }
      testCore.clock.advance(core.rules.leaseMs);
      const asked = completeWork(core, bob, item.workId, {});
      assert.equal((await fieldsOf(asked))?.[0]?.field, "transactionId");
      const done = await valueOf(complete(bob, item, paid));
      assert.deepEqual([done.state, done.outcome, done.approvals.length], ["DONE", "PAID", 1]);
      assert.equal(done.claimedBy, bob.operator.username);
      assert.deepEqual(await balanceOf(core, item.accountId), { available: 0, held: 0 });
      const actions = (await auditOf(core, item.workId)).map(([actor, action]) => [actor, action]);
      assert.deepEqual(
        actions.filter(([, action]) => action !== "work.claim"),
        [
          [ada.operator.operatorId, "work.approve"],
          [bob.operator.operatorId, "work.complete"],
        ],
      );
    });

    test("a transaction id given with the first approval is shown to the second operator", async () => {
      const item = await queueWithdrawal(core, threshold);
      const [approval] = (await valueOf(complete(ada, item, paid))).approvals;
      assert.equal(approval?.transactionId, "0xfeed");
      assert.deepEqual(await withdrawalOf(item), ["PENDING_REVIEW", null, null]);
      const [, , detail] = (await auditOf(core, item.subjectId)).at(-1) ?? [];
      assert.equal((detail as { transactionId: string }).transactionId, "0xfeed");
      await valueOf(complete(bob, item, paid));
    });

    test("any operator may reject, including the one who approved", async () => {
      for (const rejecting of [ada, bob]) {
        const item = await queueWithdrawal(core, threshold);
        await valueOf(complete(ada, item, {}));
        assert.equal((await valueOf(fail(rejecting, item))).outcome, "REJECTED");
        const { available, held } = await balanceOf(core, item.accountId);
        assert.deepEqual([available, held], [threshold, 0]);
        assert.equal(await codeOf(claimWork(core, bob, item.workId)), "conflict");
      }
    });

    test("a rejection that would exceed the maximum balance is a conflict, and the money stays held", async () => {
      const item = await queueWithdrawal(core, 5_000);
      await adjust(core, item.accountId, maxCents);
      const asked = fail(ada, item);
      assert.equal(await codeOf(asked), "conflict");
      assert.equal((await valueOf(readWork(core, item.workId))).state, "CLAIMED");
      assert.deepEqual(await withdrawalOf(item), ["PENDING_REVIEW", null, null]);
      await valueOf(completeWork(core, ada, item.workId, paid));
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});

function ofApproval({ operator: { operatorId, username } }: OperatorCall) {
  return { operatorId, username };
}
