import assert from "node:assert/strict";
import { test } from "node:test";
import { freezeAccount } from "#server/features/customers/freeze-account.ts";
import type { Engine } from "#server/ports/db.ts";
import { auditActionsOf } from "#test/deposits.ts";
import { operatorCall } from "#test/operators.ts";
import { valueOf } from "#test/use-cases.ts";
import type { ChainKind } from "./chain-kind.ts";
import { creditsOf, depositsOf, openBed, progressOf } from "./deposit-bed.ts";

const yearMs = 365 * 86_400_000;

export function creditedPayments(kind: ChainKind, engine: Engine): void {
  const pooled = kind.seesPool ? 1 : 0;

  test("a deposit counts its confirmations and is credited once, with the rate and its sources", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const { accountId, address } = await bed.customer();
    const transactionId = await network.pay({ address, coins: "0.5" });
    assert.deepEqual(await bed.pass(), { seen: pooled, credited: 0, gone: 0 });
    assert.deepEqual(await progressOf(core, accountId), pooled === 1 ? ["CONFIRMING 0/2"] : []);
    await network.mine();
    await bed.pass();
    assert.deepEqual(await progressOf(core, accountId), ["CONFIRMING 1/2"]);
    await network.mine();
    assert.deepEqual(await bed.pass(), { seen: 0, credited: 1, gone: 0 });
    await network.mine();
    assert.deepEqual(await bed.pass(), { seen: 0, credited: 0, gone: 0 });

    assert.deepEqual(await progressOf(core, accountId), ["CREDITED 3/2"]);
    const [deposit] = await depositsOf(core, accountId);
    assert.ok(deposit !== undefined);
    const { rate, rate_at: rateAt, rate_sources: sources, usd_cents: cents } = deposit;
    assert.deepEqual([cents, rate, rateAt], [5_000, kind.rate, core.clock.now()]);
    assert.deepEqual(JSON.parse(sources ?? ""), ["one source", "another"]);
    assert.deepEqual([deposit.transaction_id, deposit.credited_confirmations], [transactionId, 2]);
    assert.deepEqual(await creditsOf(core, accountId), [5_000]);
    assert.deepEqual(await auditActionsOf(core, accountId), ["deposit.credit"]);
  });

  test("one transaction that pays two of our addresses, and one of them twice, is credited in full", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const [ada, ben] = [await bed.customer(), await bed.customer()];
    await network.pay(
      { address: ada.address, coins: "0.1" },
      { address: ben.address, coins: "0.2" },
      { address: ada.address, coins: "0.1" },
    );
    const twice = kind.mergesOutputs ? [2_000] : [1_000, 1_000];
    await network.mine();
    assert.equal((await bed.pass()).seen, 1 + twice.length);
    await network.mine();
    assert.equal((await bed.pass()).credited, 1 + twice.length);
    assert.deepEqual(await creditsOf(core, ada.accountId), twice);
    assert.deepEqual(await creditsOf(core, ben.accountId), [2_000]);
  });

  test("payments to other addresses leave no deposit", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const { accountId, address } = await bed.customer();
    await network.pay({ address: await network.foreignAddress(), coins: "0.3" });
    await network.pay(
      { address: await network.foreignAddress(), coins: "0.3" },
      { address, coins: "0.4" },
    );
    assert.equal((await bed.pass()).seen, pooled);
    await network.mine(2);
    assert.deepEqual(await bed.pass(), { seen: 1 - pooled, credited: 1, gone: 0 });
    assert.deepEqual(await creditsOf(core, accountId), [4_000]);
    const rows = await core.db.read.selectFrom("deposits").select("address").execute();
    assert.deepEqual(rows, [{ address }]);
  });

  test("a payment to a year-old address is credited, and so is one to a frozen account", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const [old, frozen] = [await bed.customer(), await bed.customer()];
    bed.advanceClock(yearMs);
    const by = await operatorCall(core, "admin");
    await valueOf(freezeAccount(core, by, { accountId: frozen.accountId, reason: "fraud" }));
    await network.pay({ address: old.address, coins: "0.1" });
    await network.pay({ address: frozen.address, coins: "0.2" });
    await network.mine(2);
    assert.equal((await bed.pass()).credited, 2);
    assert.deepEqual(await creditsOf(core, old.accountId), [1_000]);
    assert.deepEqual(await creditsOf(core, frozen.accountId), [2_000]);
  });

  test("dust is a deposit of 0 cents without a ledger entry, and an output of 0 leaves no deposit", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const [dust, nothing] = [await bed.customer(), await bed.customer()];
    await network.mineUnrelayed(
      { address: dust.address, coins: kind.dust },
      { address: nothing.address, coins: "0" },
    );
    await network.mine();
    assert.deepEqual(await bed.pass(), { seen: 1, credited: 1, gone: 0 });
    assert.deepEqual(await progressOf(core, dust.accountId), ["CREDITED 2/2"]);
    const [deposit] = await depositsOf(core, dust.accountId);
    assert.deepEqual([deposit?.amount_units, deposit?.usd_cents], ["1", 0]);
    assert.deepEqual(await creditsOf(core, dust.accountId), []);
    assert.deepEqual(await depositsOf(core, nothing.accountId), []);
  });
}
