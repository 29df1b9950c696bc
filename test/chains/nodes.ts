import assert from "node:assert/strict";
import { test } from "node:test";
import { watchChain } from "#server/features/deposits/watch-settlement.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Engine } from "#server/ports/db.ts";
import { register } from "#test/bare-core.ts";
import { auditActionsOf, requestAddress } from "#test/deposits.ts";
import { codeOf, freshKey } from "#test/use-cases.ts";
import type { ChainKind } from "./chain-kind.ts";
import { creditsOf, openBed, progressOf, type DepositBed } from "./deposit-bed.ts";

const lagMs = 15 * 60_000;

async function addressRows({ core }: DepositBed, accountId: string): Promise<number> {
  const rows = core.db.read.selectFrom("deposit_addresses").select("id");
  return (await rows.where("account_id", "=", accountId).execute()).length;
}

/** The same instance, which waits 50 ms for an answer. */
function impatient({ core, chain }: DepositBed): Core {
  return { ...core, settlement: { mode: "TEST", chains: [{ ...chain, answerMs: 50 }] } };
}

async function cursorsOf({ core }: DepositBed) {
  return core.db.read.selectFrom("settlement_cursors").selectAll().execute();
}

export function nodes(kind: ChainKind, engine: Engine): void {
  test("a node that never saw the cursor's block is scanned again, and nothing is lost or credited twice", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const [credited, confirming] = [await bed.customer(), await bed.customer()];
    await network.pay({ address: credited.address, coins: "0.1" });
    await network.mine(2);
    await bed.pass();
    await network.pay({ address: confirming.address, coins: "0.2" });
    await network.mine();
    await bed.pass();
    t.after(() => network.useFirstNode());
    await network.useOtherNode({ lacks: 1, mines: 2 });
    assert.deepEqual(await bed.pass(), { seen: 0, credited: 1, gone: 0 });
    assert.deepEqual(await progressOf(core, credited.accountId), ["CREDITED 4/2"]);
    assert.deepEqual(await creditsOf(core, credited.accountId), [1_000]);
    assert.deepEqual(await creditsOf(core, confirming.accountId), [2_000]);
  });

  test("while the node is down, addresses are refused with a free key and deposits wait", async (t) => {
    const network = await kind.start();
    t.after(() => network.stop());
    const bed = await openBed(t, kind, engine, network);
    const { core } = bed;
    const { accountId, address } = await bed.customer();
    await network.pay({ address, coins: "0.5" });
    await network.mine();
    await bed.pass();
    await network.killNode();

    const { accountId: waiting } = await register(core);
    const key = freshKey();
    assert.equal(await bed.requestAddress(waiting, key), "settlement_unavailable");
    assert.equal(await addressRows(bed, waiting), 0);
    await bed.failingPass("SettlementUnavailable");
    assert.deepEqual(await progressOf(core, accountId), ["CONFIRMING 1/2"]);

    await network.restartNode();
    await network.mine();
    assert.equal((await bed.pass()).credited, 1);
    assert.deepEqual(await creditsOf(core, accountId), [5_000]);
    assert.equal(await bed.requestAddress(waiting, key), "ok");
  });

  test("an answer after answerMs counts as no answer, and changes nothing when it arrives", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network, chain } = bed;
    const { accountId, address } = await bed.customer();
    await network.pay({ address, coins: "0.5" });
    await network.mine(2);
    const before = await cursorsOf(bed);
    t.after(() => network.release());
    network.hold();
    const hurried = impatient(bed);
    const key = freshKey();
    assert.equal(
      await codeOf(requestAddress(hurried, accountId, key, kind.asset)),
      "settlement_unavailable",
    );
    assert.equal(await addressRows(bed, accountId), 1);
    const { failures } = await watchChain(hurried, { ...chain, answerMs: 50 });
    assert.deepEqual(
      failures.map((error) => (error as Error).name),
      ["SettlementUnavailable"],
    );
    network.release();
    assert.equal(await bed.requestAddress(accountId, key), "ok");
    assert.deepEqual(await cursorsOf(bed), before);
    assert.deepEqual(await bed.pass(), { seen: 1, credited: 1, gone: 0 });
    assert.deepEqual(await creditsOf(core, accountId), [5_000]);
  });

  test("a node that is behind issues no address and takes no confirmations back", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const { accountId, address } = await bed.customer();
    await network.pay({ address, coins: "0.5" });
    await network.mine();
    await bed.pass();
    await network.fallBehind(3);
    await bed.pass();
    assert.deepEqual(await progressOf(core, accountId), ["CONFIRMING 1/2"]);
    assert.equal(await bed.requestAddress(accountId), "settlement_unavailable");

    // The node is in sync again, but the last complete scan is too long ago.
    bed.advanceClock(lagMs + 1);
    await bed.pass();
    await network.mine(4);
    assert.equal(await bed.requestAddress(accountId), "settlement_unavailable");
    assert.equal((await bed.pass()).credited, 1);
    assert.equal(await bed.requestAddress(accountId), "ok");
  });

  test("a node that lacks the last blocks takes back neither confirmations nor credits", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network } = bed;
    const [credited, confirming] = [await bed.customer(), await bed.customer()];
    await network.pay({ address: credited.address, coins: "0.1" });
    await network.mine();
    await network.pay({ address: confirming.address, coins: "0.2" });
    await network.mine();
    await bed.pass();
    const before = await cursorsOf(bed);
    t.after(() => network.useFirstNode());
    await network.useOtherNode({ lacks: 2, mines: 0 });
    bed.advanceClock(lagMs + 1);
    assert.deepEqual(await bed.pass(), { seen: 0, credited: 0, gone: 0 });
    assert.deepEqual(await cursorsOf(bed), before);
    assert.deepEqual(await progressOf(core, credited.accountId), ["CREDITED 2/2"]);
    assert.deepEqual(await progressOf(core, confirming.accountId), ["CONFIRMING 1/2"]);
    assert.deepEqual(await auditActionsOf(core, credited.accountId), ["deposit.credit"]);
    assert.equal(await bed.requestAddress(credited.accountId), "settlement_unavailable");
  });

  test("another chain behind the same address is refused, and nothing is scanned", async (t) => {
    const bed = await openBed(t, kind, engine);
    const { core, network, chain } = bed;
    const { accountId, address } = await bed.customer();
    await network.pay({ address, coins: "0.5" });
    await network.mine();
    await bed.pass();
    const before = await cursorsOf(bed);
    t.after(() => network.useFirstNode());
    await network.useOtherChain();
    await assert.rejects(chain.health(t.signal), { name: "SettlementFailed" });
    await bed.failingPass("SettlementFailed");
    assert.equal(await bed.requestAddress(accountId), "settlement_failed");
    assert.deepEqual(await cursorsOf(bed), before);
    assert.deepEqual(await progressOf(core, accountId), ["CONFIRMING 1/2"]);

    await network.useFirstNode();
    await network.mine();
    assert.equal((await bed.pass()).credited, 1);
  });
}
