import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "#server/ports/db.ts";
import { auditActionsOf } from "#test/deposits.ts";
import type { ChainKind } from "./chain-kind.ts";
import { creditsOf, depositsOf, openBed, progressOf, type DepositBed } from "./deposit-bed.ts";

/** A customer whose payment has the given confirmations. */
async function paidCustomer(bed: DepositBed, blocks: number) {
  const customer = await bed.customer();
  const transactionId = await bed.network.pay({ address: customer.address, coins: "0.5" });
  await bed.network.mine(blocks);
  await bed.pass();
  return { ...customer, transactionId };
}

async function lostAtOf({ core }: DepositBed, accountId: string) {
  return (await depositsOf(core, accountId)).map(({ lost_at: lostAt }) => lostAt);
}

export function reorganisations(kind: ChainKind, engine: Engine): void {
  test("a reorganization before the credit takes the confirmations back, and the payment is credited when mined again", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const { accountId } = await paidCustomer(bed, 1);
    await network.reorganise(1);
    assert.deepEqual(await bed.pass(), { seen: 0, credited: 0, gone: 0 });
    assert.deepEqual(await progressOf(core, accountId), ["CONFIRMING 0/2"]);
    await network.mine(2);
    assert.equal((await bed.pass()).credited, 1);
    assert.deepEqual(await creditsOf(core, accountId), [5_000]);
  });

  test("a payment that is double-spent before the credit disappears, and a new one is credited", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const { accountId, address, transactionId } = await paidCustomer(bed, 1);
    await network.doubleSpend(transactionId);
    assert.deepEqual(await bed.pass(), { seen: 0, credited: 0, gone: 1 });
    assert.deepEqual(await depositsOf(core, accountId), []);
    assert.deepEqual(await auditActionsOf(core, accountId), ["deposit.remove"]);
    await network.pay({ address, coins: "0.5" });
    await network.mine(2);
    assert.deepEqual(await bed.pass(), { seen: 1, credited: 1, gone: 0 });
    assert.deepEqual(await creditsOf(core, accountId), [5_000]);
  });

  const skip = kind.canReplace ? false : `${kind.name} has no replacements`;
  test("a replaced payment is credited once, as its replacement", { skip }, async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const { accountId, address } = await bed.customer();
    const transactionId = await network.pay({ address, coins: "0.5" });
    await bed.pass();
    await network.replace(transactionId);
    const pooled = kind.seesPool ? 1 : 0;
    assert.deepEqual(await bed.pass(), { seen: pooled, credited: 0, gone: pooled });
    await network.mine(2);
    assert.equal((await bed.pass()).credited, 1);
    assert.deepEqual(await creditsOf(core, accountId), [5_000]);
    const [deposit] = await depositsOf(core, accountId);
    assert.notEqual(deposit?.transaction_id, transactionId);
  });

  test("a reorganization after the credit is audited once and debits nothing, and the payment's return credits nothing", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const { accountId } = await paidCustomer(bed, 2);
    assert.deepEqual(await creditsOf(core, accountId), [5_000]);
    await network.reorganise(2);
    for (let twice = 0; twice < 2; twice += 1) await bed.pass();
    const lost = ["deposit.credit", "deposit.lost_after_credit"];
    assert.deepEqual(await auditActionsOf(core, accountId), lost);
    assert.deepEqual(await lostAtOf(bed, accountId), [core.clock.now()]);
    assert.deepEqual(await creditsOf(core, accountId), [5_000]);

    await network.mine();
    await bed.pass();
    assert.deepEqual(await progressOf(core, accountId), ["CREDITED 1/2"]);
    assert.deepEqual(await lostAtOf(bed, accountId), [core.clock.now()]);
    await network.mine();
    assert.deepEqual(await bed.pass(), { seen: 0, credited: 0, gone: 0 });
    assert.deepEqual(await progressOf(core, accountId), ["CREDITED 2/2"]);
    assert.deepEqual(await lostAtOf(bed, accountId), [null]);
    assert.deepEqual(await auditActionsOf(core, accountId), lost);
    assert.deepEqual(await creditsOf(core, accountId), [5_000]);
  });

  test("a credited payment that is reorganized away twice before it has its confirmations again is one loss", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const { accountId } = await paidCustomer(bed, 2);
    await network.reorganise(2);
    await bed.pass();
    await network.mine();
    await bed.pass();
    await network.reorganise(1);
    await bed.pass();
    assert.deepEqual(await auditActionsOf(core, accountId), [
      "deposit.credit",
      "deposit.lost_after_credit",
    ]);
    await network.mine(2);
    await bed.pass();
    assert.deepEqual(await lostAtOf(bed, accountId), [null]);
    assert.deepEqual(await creditsOf(core, accountId), [5_000]);
  });

  test("the scan continues from a cursor whose block is orphaned", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const first = await paidCustomer(bed, 1);
    const cursorOf = () => core.db.read.selectFrom("settlement_cursors").select("hash").execute();
    const before = await cursorOf();
    await network.reorganise(1, { mineAgain: true });
    const second = await bed.customer();
    await network.pay({ address: second.address, coins: "0.2" });
    await network.mine(2);
    assert.deepEqual(await bed.pass(), { seen: 1, credited: 2, gone: 0 });
    assert.notDeepEqual(await cursorOf(), before);
    assert.deepEqual(await creditsOf(core, first.accountId), [5_000]);
    assert.deepEqual(await creditsOf(core, second.accountId), [2_000]);
  });
}
