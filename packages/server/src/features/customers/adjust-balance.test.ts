import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { maxCents } from "@ironlease/contract";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { codeOf, fieldsOf, freshKey, intentOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { adjustBalance } from "./adjust-balance.ts";

forEachEngine((engine) => {
  describe("adjusting a balance", () => {
    let testCore: TestCore;
    let core: Core;
    let call: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      call = await operatorCall(core, "finance");
    });
    after(() => testCore.dispose());

    const adjust = (
      accountId: string,
      usd: number | string,
      { key = freshKey(), reason = "goodwill", by = call, on = core } = {},
    ) =>
      adjustBalance(
        on,
        { ...by, intent: intentOf("adjustBalance", key) },
        { accountId, usd, reason },
      );
    const balanceOf = async (accountId: string) => {
      const rows = core.db.read.selectFrom("balances").select("available_cents");
      return (await rows.where("account_id", "=", accountId).executeTakeFirst())?.available_cents;
    };
    const entriesOf = (accountId: string) =>
      core.db.read
        .selectFrom("journal")
        .selectAll()
        .where("account_id", "=", accountId)
        .orderBy("sequence")
        .execute();

    test("a credit and a debit change the balance, appear in the ledger with the reason, and are audited", async () => {
      const { accountId } = await register(core);
      const key = freshKey();
      const given = await valueOf(adjust(accountId, "25.50", { key, reason: " an outage " }));
      const { id } = given.body;
      assert.deepEqual(given, {
        status: 201,
        replayed: false,
        body: { id, accountId, usd: 25.5, balanceUsd: 25.5 },
      });
      const taken = await valueOf(adjust(accountId, -10.25));
      assert.deepEqual([taken.body.usd, taken.body.balanceUsd], [-10.25, 15.25]);
      const [entry, second] = await entriesOf(accountId);
      assert.equal(entry?.id, id);
      assert.deepEqual(
        [entry?.type, entry?.cause, entry?.description, entry?.reference_kind],
        ["ADJUSTMENT", `adjustment/${call.operator.operatorId}/${key}`, "an outage", "adjustment"],
      );
      // The customer reads the reference, and must not see the operator's key.
      assert.equal(entry?.reference_id, id);
      assert.equal(second?.to_account, "house/adjustments");
      const audited = await core.db.read
        .selectFrom("audit")
        .select(["actor", "action", "detail"])
        .where("subject", "=", accountId)
        .orderBy("id")
        .execute();
      assert.deepEqual(
        audited.map(({ actor, action, detail }) => [actor, action, JSON.parse(detail).cents]),
        [
          [call.operator.operatorId, "account.adjust", 2_550],
          [call.operator.operatorId, "account.adjust", -1_025],
        ],
      );
    });

    test("an amount that is not a number of cents and an empty reason are refused with the field", async () => {
      const { accountId } = await register(core);
      const wrong = [0, "0.00", "-0", 1.001, "1.005", "1e3", "", " 1", "+1", "abc", 1e300, "1,5"];
      for (const usd of [...wrong, "9999999999999.99", Number.NaN]) {
        assert.equal((await fieldsOf(adjust(accountId, usd)))?.[0]?.field, "usd", String(usd));
      }
      assert.deepEqual(await fieldsOf(adjust(accountId, 1, { reason: "\t " })), [
        { field: "reason", message: "must not be empty" },
      ]);
      assert.deepEqual(await entriesOf(accountId), []);
    });

    test("a balance never goes below zero or above the maximum, and the key stays unused", async () => {
      const { accountId } = await register(core);
      const key = freshKey();
      await valueOf(adjust(accountId, 10));
      assert.equal(await codeOf(adjust(accountId, -10.01, { key })), "insufficient_balance");
      const most = await fieldsOf(adjust(accountId, maxCents / 100, { key }));
      assert.match(
        most?.[0]?.message ?? "",
        /must not raise the balance above the maximum of 1000000000000 USD/,
      );
      assert.equal((await valueOf(adjust(accountId, -10, { key }))).body.balanceUsd, 0);
    });

    test("an unknown account is not found, even with a used key", async () => {
      const { accountId } = await register(core);
      const key = freshKey();
      await valueOf(adjust(accountId, 1, { key }));
      assert.equal(await codeOf(adjust("acc_unknown", 1, { key })), "not_found");
    });

    test("the same key replays the answer whatever the balance is, and another request with it is a conflict", async () => {
      const [{ accountId }, other] = [await register(core), await register(core)];
      const key = freshKey();
      const first = await valueOf(adjust(accountId, 5, { key }));
      await valueOf(adjust(accountId, -5));
      const again = await valueOf(adjust(accountId, "5.00", { key, reason: "goodwill " }));
      assert.deepEqual(again, { ...first, replayed: true });
      for (const asked of [
        adjust(accountId, -5, { key }),
        adjust(accountId, 5, { key, reason: "another" }),
        adjust(other.accountId, 5, { key }),
      ]) {
        assert.equal(await codeOf(asked), "idempotency_conflict");
      }
      assert.equal(await balanceOf(accountId), 0);
      assert.equal(await balanceOf(other.accountId), 0);
    });

    test("two operators may use the same key independently", async () => {
      const { accountId } = await register(core);
      const key = freshKey();
      const by = await operatorCall(core, "finance");
      await valueOf(adjust(accountId, 5, { key }));
      await valueOf(adjust(accountId, 5, { key, by }));
      assert.equal(await balanceOf(accountId), 1_000);
    });

    test("100 concurrent requests with one key have one effect and one answer", async () => {
      const on = [core, await testCore.reopen()];
      const { accountId } = await register(core);
      const key = freshKey();
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          valueOf(adjust(accountId, 3, { key, on: on[index % 2]! })),
        ),
      );
      assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
      assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
      assert.equal(await balanceOf(accountId), 300);
      assert.equal((await entriesOf(accountId)).length, 1);
    });

    test("100 concurrent debits of a balance that covers seven: seven succeed and the balance is zero", async () => {
      const on = [core, await testCore.reopen()];
      const { accountId } = await register(core);
      await valueOf(adjust(accountId, 70));
      const codes = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          codeOf(adjust(accountId, -10, { on: on[index % 2]! })),
        ),
      );
      assert.equal(codes.filter((code) => code === "ok").length, 7);
      assert.equal(codes.filter((code) => code === "insufficient_balance").length, 93);
      assert.equal(await balanceOf(accountId), 0);
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
