import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { register, type TestCore } from "#test/core.ts";
import {
  addressFor,
  auditActionsOf,
  balanceOf,
  createDepositCore,
  outputTo,
  pay,
  scriptedSettlement,
  settableRates,
  withChains,
} from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Scan } from "#ports/settlement.ts";
import { listDeposits } from "./list-deposits.ts";
import { watchSettlement } from "./watch-settlement.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;
  let other: Core;

  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
    other = await opened.reopen();
  });
  after(async () => {
    await assertInvariantsHold(core.db);
    await opened.dispose();
  });

  const loseCursors = () =>
    core.db.write(async (tx) => {
      await tx.deleteFrom("settlement_cursors").execute();
      return ok();
    });

  test("concurrent passes of two instances credit every output once", async () => {
    const accounts = await Promise.all([register(core), register(core), register(core)]);
    const addresses = await Promise.all(
      accounts.map(({ accountId }) => addressFor(core, accountId, "USDC")),
    );
    const payments = Array.from({ length: 60 }, (_, index) =>
      pay(core, addresses[index % 3]!, "2", { transactionId: `race-${index}` }),
    );
    // The passes begin before all payments have arrived.
    const passes = Array.from({ length: 6 }, (_, index) =>
      watchSettlement(index % 2 === 0 ? core : other),
    );
    await Promise.all(payments);
    const ended = await Promise.all([...passes, watchSettlement(core), watchSettlement(other)]);
    ended.push(await watchSettlement(core));
    assert.deepEqual(
      ended.flatMap(({ failures }) => failures),
      [],
    );
    assert.equal(
      ended.reduce((sum, { credited }) => sum + credited, 0),
      60,
    );
    assert.equal(
      ended.reduce((sum, { seen }) => sum + seen, 0),
      60,
    );
    for (const { accountId } of accounts) {
      assert.equal(await balanceOf(core, accountId), 20 * 200);
    }
  });

  test("a finished pass covers every payment from before it began, on any instance", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId, "XMR");
    for (let round = 1; round <= 5; round += 1) {
      await pay(core, address, "1");
      const helper = watchSettlement(other);
      await watchSettlement(core);
      assert.equal(await balanceOf(core, accountId), round * 31_275);
      await helper;
    }
  });

  test("a lost cursor makes the provider repeat everything, and nothing is credited twice", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId, "LTC");
    await pay(core, address, "1");
    await pay(core, address, "1", { confirmations: 2 });
    await watchSettlement(core);
    const before = await listDeposits(core, accountId);
    await loseCursors();
    const passes = await Promise.all([watchSettlement(core), watchSettlement(other)]);
    for (const pass of passes) {
      assert.deepEqual(pass, { seen: 0, credited: 0, gone: 0, failures: [] });
    }
    assert.deepEqual(await listDeposits(core, accountId), before);
    assert.equal(await balanceOf(core, accountId), 10_240);
  });

  test("news that another instance has overtaken are dropped without losing confirmations", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId, "BTC");
    const transactionId = await pay(core, address, "1", { confirmations: 1 });
    let calls = 0;
    const slow = withScan(core, async (read) => {
      const news = await read();
      if ((calls += 1) > 1) return news;
      // While the old news are in transit, the payment is confirmed, reported and credited.
      await pay(core, address, "1", { transactionId });
      assert.equal((await watchSettlement(other)).credited, 1);
      return news;
    });
    assert.deepEqual((await watchSettlement(slow)).failures, []);
    const [deposit] = await listDeposits(core, accountId);
    assert.deepEqual([deposit?.state, deposit?.confirmations], ["CREDITED", 2]);
    assert.deepEqual(await auditActionsOf(core, accountId), ["deposit.credit"]);
  });

  test("a pass that loses against older news of another instance reads again", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId, "BTC");
    await pay(core, address, "1");
    const behind = Promise.withResolvers<void>();
    const mayRecord = Promise.withResolvers<void>();
    const older = watchSettlement(
      withScan(other, async (read) => {
        const news = await read();
        behind.resolve();
        await mayRecord.promise;
        return news;
      }),
    );
    await behind.promise;
    await pay(core, address, "1");
    let calls = 0;
    const newer = withScan(core, async (read) => {
      const news = await read();
      mayRecord.resolve();
      if ((calls += 1) === 1) await older;
      return news;
    });
    assert.deepEqual((await watchSettlement(newer)).failures, []);
    assert.equal(await balanceOf(core, accountId), 2 * 9_425_000);
  });

  test("a payment that vanishes while it is credited is either removed or stays credited", async () => {
    for (let round = 0; round < 20; round += 1) {
      const { accountId } = await register(core);
      const address = await addressFor(core, accountId, "BTC");
      const transactionId = await pay(core, address, "1");
      await watchSettlement({ ...core, rates: settableRates({}) });
      await pay(core, address, "1", { transactionId, isGone: true });
      const crediting = withScan(core, () => Promise.reject(new Error("not now")));
      await Promise.all([watchSettlement(crediting), watchSettlement(other)]);
      const credited = (await listDeposits(core, accountId)).length;
      assert.equal(await balanceOf(core, accountId), credited * 9_425_000);
    }
  });

  test("any sequence of news, in any order and with repetitions, credits an output once", async () => {
    const outputs = fc.record({
      transactionId: fc.constantFrom("a", "b"),
      outputIndex: fc.constantFrom(0, 1),
      confirmations: fc.constantFrom(0, 11, 12, 30),
      isGone: fc.boolean(),
    });
    const pages = fc.array(fc.array(outputs, { maxLength: 4 }), { maxLength: 6 });
    const cursorIsLost = fc.array(fc.boolean(), { maxLength: 4 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(pages, cursorIsLost, async (told, losses) => {
        run += 1;
        const { accountId } = await register(core);
        const settlement = scriptedSettlement();
        const on = { ...core, settlement, rates: settableRates({ USDT: "1", ETH: "2000" }) };
        const elsewhere = { ...other, settlement, rates: on.rates };
        await loseCursors();
        const address = await addressFor(on, accountId, "ETH");
        const nameOf = (id: string) => `run-${run}-${id}`;
        const everConfirmed = new Set<string>();
        for (const page of told) {
          const news = page.map((output) =>
            outputTo(address, { ...output, transactionId: nameOf(output.transactionId) }),
          );
          for (const { transactionId, outputIndex, confirmations, isGone } of news) {
            if (!isGone && confirmations >= 12)
              everConfirmed.add(`${transactionId}/${outputIndex}`);
          }
          settlement.report(...news);
          await Promise.all([watchSettlement(on), watchSettlement(elsewhere)]);
        }
        for (const isLost of losses) {
          if (isLost) await loseCursors();
          await watchSettlement(on);
        }

        const credits = await core.db.read
          .selectFrom("journal")
          .select("cause")
          .where("account_id", "=", accountId)
          .execute();
        const causes = credits.map(({ cause }) => cause.replace("deposit/ethereum/", ""));
        assert.equal(new Set(causes).size, causes.length);
        for (const cause of causes) assert.ok(everConfirmed.has(cause), cause);
        assert.equal(await balanceOf(core, accountId), causes.length * 500);
      }),
      { numRuns: 25 },
    );
  });
});

/** An instance whose bitcoin chain reports what the test scripts. */
function withScan(core: Core, scan: (read: () => Promise<Scan>) => Promise<Scan>): Core {
  const settlement = withChains(core.settlement!, (chain) =>
    chain.network === "bitcoin" ? { scan: (...args) => scan(() => chain.scan(...args)) } : {},
  );
  return { ...core, settlement };
}
