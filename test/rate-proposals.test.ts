import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { listRates } from "#server/features/rates/list-rates.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import { freshRate } from "#server/kernel/fresh-rate.ts";
import { forEachEngine } from "#test/engines.ts";
import { disableOperator, enableOperator, operatorCall } from "#test/operators.ts";
import { createRatesCore, outcomeOf, requestRate, type RatesCore } from "#test/operator-rates.ts";
import { valueOf } from "#test/use-cases.ts";

forEachEngine((engine) => {
  describe("the proposed rate of an operator who is disabled", () => {
    let opened: RatesCore;
    let core: Core;
    let ada: OperatorCall;
    let bob: OperatorCall;
    beforeEach(async () => {
      opened = await createRatesCore(engine);
      ({ core, ada, bob } = opened);
      await valueOf(requestRate(core, ada, 100));
    });
    afterEach(() => opened.dispose());

    const request = (by: OperatorCall, usd: number) => outcomeOf(requestRate(core, by, usd));
    const disable = (call: OperatorCall, on = core) =>
      valueOf(disableOperator(on, call.operator.username));
    const usdNow = async () => (await freshRate(core, "LTC")).rate;

    for (const isEnabledAgain of [false, true]) {
      test(`does not count${isEnabledAgain ? ", also when the operator is enabled again" : ""}`, async () => {
        assert.equal(await request(ada, 200), "PROPOSED");
        await disable(ada);
        if (isEnabledAgain) await valueOf(enableOperator(core, ada.operator.username));
        assert.deepEqual((await listRates(core)).proposals, []);
        assert.equal(await request(bob, 200), "PROPOSED");
        assert.equal(await usdNow(), "100.00");
        assert.equal(await request(await operatorCall(core, "finance"), 200), "SET");
      });
    }

    test("is voided with an audit entry for each, once, and others keep theirs", async () => {
      for (const usd of [200, 300]) await request(ada, usd);
      await request(bob, 400);
      for (let time = 0; time < 2; time += 1) await disable(ada);
      const voided = await core.db.read
        .selectFrom("audit")
        .select(["actor", "subject", "detail"])
        .where("action", "=", "rate.void_proposal")
        .orderBy("id")
        .execute();
      assert.deepEqual(
        voided.map(({ actor, subject, detail }) => [actor, subject, JSON.parse(detail).usd]),
        [
          ["system", "LTC", "200.00"],
          ["system", "LTC", "300.00"],
        ],
      );
      const { proposals } = await listRates(core);
      assert.deepEqual(
        proposals.map(({ usd }) => usd),
        ["400.00"],
      );
    });

    test("counts or is void when both happen at once, never both", async () => {
      const other = await opened.reopen();
      let usd = 100;
      for (let round = 0; round < 10; round += 1) {
        const eve = await operatorCall(core, "finance");
        usd *= 2;
        assert.equal(await request(eve, usd), "PROPOSED");
        const [outcome] = await Promise.all([request(bob, usd), disable(eve, other)]);
        const kinds = await core.db.read
          .selectFrom("rates")
          .innerJoin("rates as proposals", "proposals.id", "rates.proposal_id")
          .select("rates.kind")
          .where("proposals.set_by", "=", eve.operator.operatorId)
          .execute();
        assert.deepEqual(
          kinds.map(({ kind }) => kind),
          [outcome === "SET" ? "SET" : "VOIDED"],
        );
        if (outcome === "PROPOSED") assert.equal(await request(ada, usd), "SET");
        assert.equal(await usdNow(), `${usd}.00`);
      }
    });
  });
});
