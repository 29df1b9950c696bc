import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { register, type TestCore } from "#test/core.ts";
import {
  addressFor,
  requestAddress,
  auditActionsOf,
  balanceOf,
  createDepositCore,
  outputTo,
  scriptedSettlement,
  settableRates,
  runSettlementPass,
} from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { codeOf, freshKey } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Chain, KnownOutput, OutputFate } from "#ports/settlement.ts";
import { listDeposits } from "./list-deposits.ts";
import { watchChain, watchSettlement } from "./watch-settlement.ts";

const blockA = { height: 10, hash: "a" };
const blockB = { height: 10, hash: "b" };
const minuteMs = 60_000;

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;
  let transactions = 0;

  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
  });
  after(async () => {
    await assertInvariantsHold(core.db);
    await opened.dispose();
  });

  /** A core with a scripted chain, a customer and one of its addresses. */
  const scripted = async (overrides: Partial<Chain> = {}) => {
    const { accountId } = await register(core);
    const settlement = scriptedSettlement(overrides);
    const on: Core = { ...core, settlement, rates: settableRates({ ETH: "2000", USDT: "1" }) };
    await core.db.write(async (tx) => {
      await tx.deleteFrom("settlement_cursors").execute();
      return ok();
    });
    transactions += 1;
    const transactionId = `chain-watch-${transactions}`;
    return {
      accountId,
      settlement,
      on,
      transactionId,
      address: await addressFor(on, accountId, "ETH"),
    };
  };

  test("an output whose index changes in a reorganization is credited once", async () => {
    const { accountId, settlement, on, transactionId, address } = await scripted();
    const output = outputTo(address, { transactionId, outputIndex: 1, block: blockA });
    settlement.report(output);
    await runSettlementPass(on);
    assert.equal(await balanceOf(core, accountId), 500);

    settlement.report({ ...output, outputIndex: 0, block: blockB });
    await runSettlementPass(on);
    settlement.report({ ...output, isGone: true });
    await runSettlementPass(on);
    assert.equal(await balanceOf(core, accountId), 500);
    const deposits = await listDeposits(core, accountId);
    assert.deepEqual(
      deposits.map(({ state }) => state),
      ["CREDITED"],
    );
    assert.deepEqual(await auditActionsOf(core, accountId), [
      "deposit.credit",
      "deposit.move_output",
    ]);
  });

  test("an output that was lost and comes back under another index is credited once", async () => {
    const { accountId, settlement, on, transactionId, address } = await scripted();
    const output = outputTo(address, { transactionId, outputIndex: 1, block: blockA });
    settlement.report(output);
    await runSettlementPass(on);
    settlement.report({ ...output, isGone: true });
    await runSettlementPass(on);
    settlement.report({ ...output, outputIndex: 0, block: blockB });
    await runSettlementPass(on);
    assert.equal(await balanceOf(core, accountId), 500);
  });

  test("two equal outputs of one transaction in one block are both credited", async () => {
    const { accountId, settlement, on, transactionId, address } = await scripted();
    const output = outputTo(address, { transactionId, block: blockA });
    settlement.report(output, { ...output, outputIndex: 1 });
    await runSettlementPass(on);
    assert.equal(await balanceOf(core, accountId), 1_000);
  });

  test("a rate that is too old, from the future or expired credits nothing until it is fresh", async () => {
    const { accountId, settlement, on, transactionId, address } = await scripted();
    settlement.report(outputTo(address, { transactionId }));
    const now = core.clock.now();
    const threeYears = 3 * 365 * 86_400_000;
    const rateAt = (at: number, validUntil?: number): Core => ({
      ...on,
      rates: {
        maxAgeMs: 10 * minuteMs,
        answerMs: 1_000,
        usdPerCoin: async () => ({ rate: "1", at, validUntil, sources: ["test"] }),
      },
    });
    for (const unusable of [
      rateAt(now - threeYears),
      rateAt(now - 10 * minuteMs - 1),
      rateAt(now + minuteMs + 1),
      rateAt(now, now - 1),
    ]) {
      const pass = await watchSettlement(unusable);
      assert.deepEqual([pass.credited, pass.failures.length], [0, 1]);
    }
    assert.deepEqual(
      (await listDeposits(core, accountId)).map(({ state }) => state),
      ["CONFIRMING"],
    );
    assert.equal((await runSettlementPass(rateAt(now - 10 * minuteMs, now))).credited, 1);
    assert.equal(await balanceOf(core, accountId), 500);
  });

  test("a larger payment needs more confirmations, whenever its value becomes known", async () => {
    const confirmations = [
      { fromCents: 0, needed: 12 },
      { fromCents: 400, needed: 20 },
    ];
    const assets = new Map([["USDT", { decimals: 6, confirmations }] as const]);
    const { accountId, settlement, on, transactionId, address } = await scripted();
    const chain = { ...settlement.chain, assets };
    const tiered: Core = { ...on, settlement: { ...settlement, chains: [chain] } };
    const output = outputTo(address, { transactionId, confirmations: 12 });
    const later = outputTo(address, { transactionId: `${transactionId}-later` });

    settlement.report(output);
    assert.equal((await runSettlementPass(tiered)).credited, 0);
    const [deposit] = await listDeposits(core, accountId);
    assert.equal(deposit?.confirmationsRequired, 20);

    settlement.report(later);
    assert.equal((await watchSettlement({ ...tiered, rates: undefined })).credited, 0);
    assert.equal((await runSettlementPass(tiered)).credited, 0);
    settlement.report({ ...output, confirmations: 20 }, { ...later, confirmations: 20 });
    assert.equal((await runSettlementPass(tiered)).credited, 2);
  });

  test("a locked output is not credited until it is unlocked", async () => {
    const { settlement, on, transactionId, address } = await scripted();
    const output = outputTo(address, { transactionId });
    settlement.report({ ...output, isLocked: true });
    assert.deepEqual(await runSettlementPass(on), { seen: 1, credited: 0, gone: 0 });
    settlement.report(output);
    assert.deepEqual(await runSettlementPass(on), { seen: 0, credited: 1, gone: 0 });
  });

  test("rechecks follow a deposit until it is final, and record its loss after the credit", async () => {
    const asked: (readonly KnownOutput[])[] = [];
    let fate: Partial<OutputFate> = {};
    const recheck: Chain["recheck"] = async (outputs) => {
      asked.push(outputs);
      return outputs.map(({ transactionId, outputIndex, block }) => ({
        transactionId,
        outputIndex,
        block,
        confirmations: 0,
        isGone: false,
        ...fate,
      }));
    };
    const { accountId, settlement, on, transactionId, address } = await scripted({
      finalDepth: 30,
      recheck,
    });
    settlement.report(outputTo(address, { transactionId, block: blockA, confirmations: 1 }));
    fate = { confirmations: 12 };
    assert.deepEqual(await runSettlementPass(on), { seen: 1, credited: 1, gone: 0 });
    fate = { confirmations: 0, isGone: true };
    await runSettlementPass(on);
    await runSettlementPass(on);
    const lost = ["deposit.credit", "deposit.lost_after_credit"];
    assert.deepEqual(await auditActionsOf(core, accountId), lost);
    assert.equal(await balanceOf(core, accountId), 500);

    fate = { confirmations: 30, block: blockB };
    await runSettlementPass(on);
    const before = asked.length;
    await runSettlementPass(on);
    assert.equal(asked.length, before);
    assert.deepEqual(await auditActionsOf(core, accountId), lost);
  });

  test("a credited payment that loses confirmations in several steps is one loss until it has them again", async () => {
    let confirmations = 12;
    const { accountId, settlement, on, transactionId, address } = await scripted({
      finalDepth: 30,
      recheck: async (outputs) =>
        outputs.map((output) => ({ ...output, confirmations, isGone: false })),
    });
    settlement.report(outputTo(address, { transactionId, block: blockA }));
    for (confirmations of [12, 3, 5, 0]) await runSettlementPass(on);
    const lost = ["deposit.credit", "deposit.lost_after_credit"];
    assert.deepEqual(await auditActionsOf(core, accountId), lost);
    for (confirmations of [12, 11]) await runSettlementPass(on);
    assert.deepEqual(await auditActionsOf(core, accountId), [...lost, "deposit.lost_after_credit"]);
  });

  test("a recheck that another pass overtook changes nothing", async () => {
    const { accountId, settlement, on, transactionId, address } = await scripted({
      finalDepth: 30,
      recheck: async () => {
        const output = outputTo(address, { transactionId, block: blockA });
        settlement.report(output);
        assert.equal((await watchSettlement({ ...on, settlement: silent })).credited, 1);
        return [
          { transactionId, outputIndex: 0, block: undefined, confirmations: 0, isGone: true },
        ];
      },
    });
    const [chain] = settlement.chains;
    const silent = { ...settlement, chains: [{ ...chain!, recheck: async () => [] }] };
    settlement.report(outputTo(address, { transactionId, block: blockA, confirmations: 1 }));
    await runSettlementPass(on);
    assert.deepEqual(await auditActionsOf(core, accountId), ["deposit.credit"]);
  });

  test("one instance scans a chain at a time, and another takes over when its lease expires", async () => {
    let scans = 0;
    const { on, settlement } = await scripted();
    const [chain] = settlement.chains;
    const counted: Chain = {
      ...chain!,
      scan: (...args) => {
        scans += 1;
        return chain!.scan(...args);
      },
    };
    await watchChain(on, counted, { holder: "one" });
    await watchChain(on, counted, { holder: "two" });
    await watchChain(on, counted, { holder: "one" });
    assert.equal(scans, 2);
    opened.clock.advance(minuteMs);
    await watchChain(on, counted, { holder: "two" });
    assert.equal(scans, 3);
    await watchChain(on, counted, { holder: "one" });
    assert.equal(scans, 3);
  });

  test("no address is issued while the last scan is too old or the node is behind", async () => {
    const { on, settlement, accountId } = await scripted();
    const [chain] = settlement.chains;
    const withChain = (overrides: Partial<Chain>): Core => ({
      ...on,
      settlement: { ...settlement, chains: [{ ...chain!, ...overrides }] },
    });
    const ask = (on: Core, key = freshKey()) => codeOf(requestAddress(on, accountId, key, "ETH"));
    const lagging = withChain({ maxLagMs: 15 * minuteMs });
    const key = freshKey();
    assert.equal(await ask(lagging, key), "settlement_unavailable");
    await runSettlementPass(lagging);
    assert.equal(await ask(lagging, key), "ok");
    opened.clock.advance(15 * minuteMs + 1);
    assert.equal(await ask(lagging), "settlement_unavailable");

    const health = { height: 0, behindBlocks: 3, version: "1", peers: 1 };
    const behind = withChain({ maxLagMs: 15 * minuteMs, health: async () => health });
    await runSettlementPass(behind);
    assert.equal(await ask(behind), "settlement_unavailable");
    assert.equal(await ask(lagging), "settlement_unavailable");
    const rows = await core.db.read
      .selectFrom("deposit_addresses")
      .select("id")
      .where("account_id", "=", accountId)
      .execute();
    assert.equal(rows.length, 2);
  });
});
