import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import fc from "fast-check";
import { rateFromUnits } from "@ironlease/contract";
import { register, type TestCore } from "#test/core.ts";
import {
  addressFor,
  auditActionsOf,
  balanceOf,
  createDepositCore,
  pay,
  settableRates,
} from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import type { Core } from "#kernel/core.ts";
import { move } from "#kernel/ledger.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";
import { centsOf, coinAmount } from "#kernel/coin-amount.ts";
import { listDeposits } from "./list-deposits.ts";
import { watchSettlement } from "./watch-settlement.ts";

const quiet = { seen: 0, credited: 0, gone: 0, failures: [] };

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;
  let accountId: string;

  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
  });
  beforeEach(async () => {
    ({ accountId } = await register(core));
  });
  after(async () => {
    await assertInvariantsHold(core.db);
    await opened.dispose();
  });

  const journalOf = () =>
    core.db.read.selectFrom("journal").selectAll().where("account_id", "=", accountId).execute();
  const statesOf = async () =>
    (await listDeposits(core, accountId)).map(({ state, usdCents }) => [state, usdCents]);

  test("a payment worth less than a cent is credited as zero and moves no money", async () => {
    await pay(core, await addressFor(core, accountId, "ETH"), "0.000000000000000001");
    assert.deepEqual(await watchSettlement(core), { ...quiet, seen: 1, credited: 1 });
    assert.deepEqual(await statesOf(), [["CREDITED", 0]]);
    assert.deepEqual(await journalOf(), []);
    assert.deepEqual(await auditActionsOf(core, accountId), ["deposit.credit"]);
  });

  test("a payment above the maximum balance waits, is audited once, and does not block others", async () => {
    const address = await addressFor(core, accountId, "USDC");
    await pay(core, address, "1000000000000.01");
    await pay(core, address, `${"9".repeat(30)}.999999`);
    await pay(core, address, "3");
    assert.deepEqual(await watchSettlement(core), { ...quiet, seen: 3, credited: 1 });
    assert.equal(await balanceOf(core, accountId), 300);
    for (let pass = 0; pass < 3; pass += 1) {
      opened.clock.advance(10 * 60_000);
      assert.deepEqual(await watchSettlement(core), quiet);
    }
    const states = (await statesOf()).map(([state]) => state);
    assert.equal(states.filter((state) => state === "CONFIRMING").length, 2);
    const told = (await auditActionsOf(core, accountId)).toSorted();
    assert.deepEqual(told, ["deposit.credit", "deposit.too_large", "deposit.too_large"]);
  });

  test("a payment that would exceed the maximum balance waits until there is room", async () => {
    const address = await addressFor(core, accountId, "USDT");
    await pay(core, address, "1000000000000");
    await watchSettlement(core);
    assert.equal(await balanceOf(core, accountId), 100_000_000_000_000);
    await pay(core, address, "0.01");
    assert.deepEqual(await watchSettlement(core), { ...quiet, seen: 1 });
    assert.equal(await balanceOf(core, accountId), 100_000_000_000_000);

    await core.db.write((tx) =>
      move(
        { tx, core },
        {
          type: "ADJUSTMENT",
          accountId,
          cents: -1,
          cause: `adjustment/${accountId}`,
          description: "Spent",
          reference: { kind: "adjustment", id: accountId },
        },
      ),
    );
    assert.deepEqual(await watchSettlement(core), quiet);
    opened.clock.advance(10 * 60_000);
    assert.deepEqual(await watchSettlement(core), { ...quiet, credited: 1 });
    assert.equal(await balanceOf(core, accountId), 100_000_000_000_000);
  });

  test("while the rate source fails, nothing of that asset is credited and nothing is lost", async () => {
    await pay(core, await addressFor(core, accountId, "BTC"), "1");
    await pay(core, await addressFor(core, accountId, "BTC"), "2");
    await pay(core, await addressFor(core, accountId, "USDC"), "5");
    const failing = { ...core, rates: settableRates({ USDC: "1" }) };
    const pass = await watchSettlement(failing);
    assert.deepEqual(
      { ...pass, failures: pass.failures.length },
      {
        ...quiet,
        seen: 3,
        credited: 1,
        failures: 1,
      },
    );
    assert.equal(await balanceOf(core, accountId), 500);
    const { failures, ...again } = await watchSettlement({ ...core, rates: undefined });
    assert.ok(failures[0] instanceof SettlementUnavailable);
    assert.equal(again.credited, 0);

    assert.deepEqual(await watchSettlement(core), { ...quiet, credited: 2 });
    assert.equal(await balanceOf(core, accountId), 500 + 3 * 9_425_000);
  });

  test("an invalid rate credits nothing, and the next pass does", async () => {
    await pay(core, await addressFor(core, accountId, "LTC"), "1");
    for (const rate of ["0", "NaN", "-5"]) {
      const pass = await watchSettlement({ ...core, rates: settableRates({ LTC: rate }) });
      assert.equal(pass.credited, 0);
      assert.ok(pass.failures[0] instanceof SettlementFailed);
    }
    assert.deepEqual(await watchSettlement(core), { ...quiet, credited: 1 });
  });

  test("a rate source that hangs is given up", async () => {
    await pay(core, await addressFor(core, accountId, "LTC"), "1");
    await watchSettlement({ ...core, rates: settableRates({}) });
    const hanging = {
      ...settableRates({}),
      answerMs: 1,
      usdPerCoin: () => new Promise<never>(() => {}),
    };
    const { credited, failures } = await watchSettlement({ ...core, rates: hanging });
    assert.equal(credited, 0);
    assert.ok(failures.at(-1) instanceof SettlementUnavailable);
    assert.deepEqual(await watchSettlement(core), { ...quiet, credited: 1 });
  });

  test("a stopped pass credits nothing more, and the next one continues", async () => {
    await pay(core, await addressFor(core, accountId, "LTC"), "1");
    assert.deepEqual(await watchSettlement(core, { stop: AbortSignal.abort() }), quiet);
    assert.deepEqual(await watchSettlement(core), { ...quiet, seen: 1, credited: 1 });
  });

  test("any amount at any rate is credited to the exact cent", async () => {
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 24n });
    const prices = fc
      .bigInt({ min: 1n, max: 10n ** 12n })
      .map((millionths) => rateFromUnits(millionths * 10n ** 12n));
    await fc.assert(
      fc.asyncProperty(amounts, prices, async (units, price) => {
        ({ accountId } = await register(core));
        await pay(core, await addressFor(core, accountId, "ETH"), coinAmount(units, 18));
        await watchSettlement({ ...core, rates: settableRates({ ETH: price }) });
        const row = await core.db.read
          .selectFrom("deposits")
          .select(["amount_units", "usd_cents", "rate", "state"])
          .where("account_id", "=", accountId)
          .executeTakeFirstOrThrow();
        const cents = Number(centsOf(units, 18, price));
        const credited = { usd_cents: cents, rate: price, state: "CREDITED" };
        assert.deepEqual({ ...row }, { amount_units: String(units), ...credited });
        assert.equal(await balanceOf(core, accountId), cents);
      }),
      { numRuns: 25 },
    );
  });
});
