import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { register, type TestCore } from "#test/core.ts";
import {
  addressFor,
  auditActionsOf,
  balanceOf,
  createDepositCore,
  outputTo,
  scriptedSettlement,
  settableRates,
  type ScriptedOutput,
  withChains,
  runSettlementPass,
} from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { SettlementUnavailable, type Chain } from "#ports/settlement.ts";
import { listDeposits } from "./list-deposits.ts";
import { watchSettlement } from "./watch-settlement.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;

  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
  });
  after(async () => {
    await assertInvariantsHold(core.db);
    await opened.dispose();
  });

  const watch = (on: Core = core) => runSettlementPass(on);
  const quiet = { seen: 0, credited: 0, gone: 0 };
  /** A core with a scripted provider, and one of its addresses. */
  const scripted = async (overrides: Partial<Chain> = {}) => {
    const { accountId } = await register(core);
    const settlement = scriptedSettlement(overrides);
    const on: Core = { ...core, settlement, rates: settableRates({ ETH: "2000", USDT: "1" }) };
    // Each script starts over. The database remembers how far the last one was read.
    await forgetCursors(core, settlement.mode);
    return { accountId, settlement, on, address: await addressFor(on, accountId, "ETH") };
  };
  let transactions = 0;
  const usdt = (address: string, more: Partial<ScriptedOutput> = {}) =>
    outputTo(address, { transactionId: `scripted-${(transactions += 1)}`, ...more });

  test("a network that hangs is given up, and the next pass continues", async () => {
    const hanging = await scripted({ answerMs: 1, scan: () => new Promise(() => {}) });
    const { failures } = await watchSettlement(hanging.on);
    assert.ok(failures[0] instanceof SettlementUnavailable);
  });

  test("an address that was never issued and a zero-value transfer are ignored", async () => {
    const { settlement, on, accountId, address } = await scripted();
    settlement.report(usdt("0xunknown"), usdt(address, { amountUnits: 0n }));
    assert.deepEqual(await watch(on), quiet);
    assert.deepEqual(await listDeposits(core, accountId), []);
  });

  test("another asset on the same network is credited as that asset", async () => {
    const { settlement, on, accountId, address } = await scripted();
    settlement.report(usdt(address, { asset: "USDT", amountUnits: 7_250_000n }));
    await watch(on);
    const [deposit] = await listDeposits(core, accountId);
    assert.deepEqual(
      [deposit?.asset, deposit?.amount, deposit?.usdCents],
      ["USDT", "7.250000", 725],
    );
  });

  test("the required confirmations are those of the day the address was issued", async () => {
    const { settlement, on, accountId, address } = await scripted();
    const eager = { decimals: 6, confirmations: [{ fromCents: 0, needed: 1 }] };
    const changed = withChains(settlement, () => ({ assets: new Map([["USDT", eager]]) }));
    const now: Core = { ...on, settlement: changed };
    const output = usdt(address, { confirmations: 11 });
    settlement.report(output);
    assert.deepEqual(await watch(now), { ...quiet, seen: 1 });
    settlement.report({ ...output, confirmations: 12 });
    assert.deepEqual(await watch(now), { ...quiet, credited: 1 });
    assert.equal(await balanceOf(core, accountId), 500);
  });

  test("an output that pays something else after a reorganization is recorded as it is now", async () => {
    const { settlement, on, accountId, address } = await scripted();
    const output = usdt(address, { confirmations: 1 });
    settlement.report(output);
    await watch(on);
    settlement.report({ ...output, amountUnits: 9_000_000n, confirmations: 12 });
    assert.deepEqual(await watch(on), { seen: 1, credited: 1, gone: 1 });
    settlement.report({ ...output, amountUnits: 1_000_000n, confirmations: 20 });
    assert.deepEqual(await watch(on), quiet);
    assert.equal(await balanceOf(core, accountId), 900);
    const told = ["deposit.remove", "deposit.credit", "deposit.lost_after_credit"];
    assert.deepEqual(await auditActionsOf(core, accountId), told);
  });

  test("a page that fails in the middle keeps the cursor, so that all of it is fetched again", async () => {
    const { settlement, on, accountId, address } = await scripted();
    const outputs = Array.from({ length: 120 }, () => usdt(address));
    let isBroken = true;
    const breaking: Core = {
      ...on,
      settlement: withChains(settlement, (chain) => ({
        scan: async (...args) => {
          const page = await chain.scan(...args);
          const alien = { ...usdt(address), asset: "BTC" } as const;
          return isBroken ? { ...page, outputs: [...page.outputs, alien] } : page;
        },
      })),
    };
    settlement.report(...outputs);
    const first = await watchSettlement(breaking);
    // Two transactions of fifty were complete before the one with the unknown asset, and their payments are credited.
    assert.deepEqual([first.seen, first.credited, first.failures.length], [100, 100, 1]);
    isBroken = false;
    assert.deepEqual(await watch(breaking), { ...quiet, seen: 20, credited: 20 });
    assert.equal(await balanceOf(core, accountId), 120 * 500);
  });
});

async function forgetCursors(core: Core, mode: string): Promise<void> {
  await core.db.write(async (tx) => {
    await tx.deleteFrom("settlement_cursors").where("mode", "=", mode).execute();
    return ok();
  });
}
