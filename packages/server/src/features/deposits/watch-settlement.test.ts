import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { register, type TestCore } from "#test/core.ts";
import {
  addressFor,
  auditActionsOf,
  balanceOf,
  createDepositCore,
  pay,
  simulatedOf,
  runSettlementPass,
} from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import type { Core } from "#kernel/core.ts";
import { SettlementUnavailable } from "#ports/settlement.ts";
import { listDeposits } from "./list-deposits.ts";
import { watchSettlement } from "./watch-settlement.ts";

const dayMs = 86_400_000;

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
  const stateOf = async (accountId: string) =>
    (await listDeposits(core, accountId)).map(({ state, confirmations }) => [state, confirmations]);
  test("a payment's confirmations rise and fall, and it is credited once it has enough", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId, "LTC");
    const transactionId = await pay(core, address, "2.5", { confirmations: 0 });
    assert.deepEqual(await watch(), { ...quiet, seen: 1 });
    for (const confirmations of [3, 5, 1, 5]) {
      await pay(core, address, "2.5", { transactionId, confirmations });
      assert.deepEqual(await watch(), quiet);
      assert.deepEqual(await stateOf(accountId), [["CONFIRMING", confirmations]]);
      assert.equal(await balanceOf(core, accountId), 0);
    }
    await pay(core, address, "2.5", { transactionId, confirmations: 6 });
    assert.deepEqual(await watch(), { ...quiet, credited: 1 });
    assert.deepEqual(await stateOf(accountId), [["CREDITED", 6]]);
    assert.equal(await balanceOf(core, accountId), 25_600);
    assert.deepEqual(await watch(), quiet);
  });

  test("a credit is one journal row that names its output and deposit, and one audit row", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId, "XMR");
    const transactionId = await pay(core, address, "0.1", { outputIndex: 7, confirmations: 11 });
    await watch();
    const [deposit] = await listDeposits(core, accountId);
    const rows = await core.db.read
      .selectFrom("journal")
      .select(["type", "cause", "from_account", "amount_cents", "description", "reference_id"])
      .where("account_id", "=", accountId)
      .execute();
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        {
          type: "DEPOSIT",
          cause: `deposit/monero/${transactionId}/7`,
          from_account: "house/settlement/XMR",
          amount_cents: 3_127,
          description: "Deposit of 0.1 XMR",
          reference_id: deposit?.id,
        },
      ],
    );
    assert.deepEqual(await auditActionsOf(core, accountId), ["deposit.credit"]);
    const recorded = await core.db.read
      .selectFrom("deposits")
      .select(["rate", "rate_at", "credited_confirmations", "credited_at"])
      .where("account_id", "=", accountId)
      .executeTakeFirstOrThrow();
    const now = core.clock.now();
    assert.deepEqual(
      { ...recorded },
      { rate: "312.75", rate_at: now, credited_confirmations: 11, credited_at: now },
    );
  });

  test("an address issued long ago is credited, however often it is paid", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId, "USDT");
    await addressFor(core, accountId, "USDT");
    opened.clock.advance(800 * dayMs);
    await pay(core, address, "1.5");
    await pay(core, address, "1.5");
    assert.deepEqual(await watch(), { ...quiet, seen: 2, credited: 2 });
    await pay(core, address, "1.5");
    await watch();
    assert.equal(await balanceOf(core, accountId), 450);
  });

  test("several outputs of one transaction are each credited, to one account and to two", async () => {
    const [ada, ben] = [await register(core), await register(core)];
    const transactionId = "several-outputs";
    const adas = [await addressFor(core, ada.accountId), await addressFor(core, ada.accountId)];
    const bens = await addressFor(core, ben.accountId);
    const outputs = [adas[0]!, adas[0]!, adas[1]!, bens];
    for (const [outputIndex, address] of outputs.entries()) {
      await pay(core, address, "0.001", { transactionId, outputIndex });
    }
    assert.deepEqual(await watch(), { ...quiet, seen: 4, credited: 4 });
    assert.equal(await balanceOf(core, ada.accountId), 3 * 9_425);
    assert.equal(await balanceOf(core, ben.accountId), 9_425);
  });

  test("a payment that disappears before its credit is removed and audited, and may come back", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId);
    const transactionId = await pay(core, address, "1", { confirmations: 1 });
    await watch();
    await pay(core, address, "1", { transactionId, isGone: true });
    assert.deepEqual(await watch(), { ...quiet, gone: 1 });
    assert.deepEqual(await listDeposits(core, accountId), []);
    assert.deepEqual(await watch(), quiet);
    assert.deepEqual(await auditActionsOf(core, accountId), ["deposit.remove"]);

    await pay(core, address, "1", { transactionId });
    assert.deepEqual(await watch(), { ...quiet, seen: 1, credited: 1 });
    assert.equal(await balanceOf(core, accountId), 9_425_000);
  });

  test("a payment that disappears before it was seen leaves nothing", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId);
    await pay(core, address, "1", { isGone: true });
    assert.deepEqual(await watch(), quiet);
    assert.deepEqual(await auditActionsOf(core, accountId), []);
  });

  test("a payment that disappears after its credit stays credited and is audited once", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId);
    const transactionId = await pay(core, address, "1");
    await watch();
    for (let telling = 0; telling < 3; telling += 1) {
      await pay(core, address, "1", { transactionId, isGone: true });
      assert.deepEqual(await watch(), quiet);
    }
    assert.deepEqual(await stateOf(accountId), [["CREDITED", 2]]);
    assert.equal(await balanceOf(core, accountId), 9_425_000);
    const lost = ["deposit.credit", "deposit.lost_after_credit"];
    assert.deepEqual(await auditActionsOf(core, accountId), lost);

    await pay(core, address, "1", { transactionId });
    assert.deepEqual(await watch(), quiet);
    assert.deepEqual(await stateOf(accountId), [["CREDITED", 2]]);
    assert.equal(await balanceOf(core, accountId), 9_425_000);
  });

  test("a payment that loses confirmations after its credit stays credited and is audited", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId);
    const transactionId = await pay(core, address, "1", { confirmations: 5 });
    await watch();
    const fall = async (confirmations: number) => {
      await pay(core, address, "1", { transactionId, confirmations });
      await watch();
      return (await auditActionsOf(core, accountId)).slice(1);
    };
    assert.deepEqual(await fall(3), []);
    assert.deepEqual(await fall(1), ["deposit.lost_after_credit"]);
    assert.deepEqual(await fall(2), ["deposit.lost_after_credit"]);
    assert.equal((await fall(0)).length, 2);
    assert.equal(await balanceOf(core, accountId), 9_425_000);
  });

  test("a backlog of several pages is recorded and credited in one pass", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId, "USDC");
    await Promise.all(Array.from({ length: 130 }, () => pay(core, address, "0.01")));
    assert.deepEqual(await watch(), { ...quiet, seen: 130, credited: 130 });
    assert.equal(await balanceOf(core, accountId), 130);
  });

  test("a network that fails does not stop the others, and nothing of it is lost", async () => {
    const { accountId } = await register(core);
    const [bitcoin, litecoin] = [
      await addressFor(core, accountId, "BTC"),
      await addressFor(core, accountId, "LTC"),
    ];
    await pay(core, bitcoin, "0.001");
    await pay(core, litecoin, "1");
    const failure = new SettlementUnavailable("the bitcoin node is away");
    simulatedOf(core).failNext("scan", failure);
    const pass = await watchSettlement(core);
    assert.deepEqual(pass, { seen: 1, credited: 1, gone: 0, failures: [failure] });
    assert.deepEqual(await watch(), { ...quiet, seen: 1, credited: 1 });
    assert.equal(await balanceOf(core, accountId), 9_425 + 10_240);
  });

  test("without a provider a pass does nothing", async () => {
    assert.deepEqual(await watch({ ...core, settlement: undefined }), quiet);
  });
});
