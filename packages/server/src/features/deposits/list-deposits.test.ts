import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { register, type TestCore } from "#test/core.ts";
import { addressFor, createDepositCore, pay } from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import type { Core } from "#kernel/core.ts";
import { listDeposits } from "./list-deposits.ts";
import { watchSettlement } from "./watch-settlement.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;

  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
  });
  after(() => opened.dispose());

  test("a deposit is listed with every field, its amount at the asset's full precision", async () => {
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId);
    const transactionId = await pay(core, address, "0.015", { confirmations: 1 });
    const seenAt = core.clock.now();
    await watchSettlement(core);
    const [confirming] = await listDeposits(core, accountId);
    const record = {
      id: confirming?.id,
      asset: "BTC",
      network: "bitcoin",
      mode: "SIMULATED",
      address,
      transactionId,
      amount: "0.01500000",
      usdCents: null,
      rate: null,
      confirmations: 1,
      confirmationsRequired: 2,
      state: "CONFIRMING",
      seenAt,
      creditedAt: null,
    };
    assert.deepEqual(confirming, record);
    assert.match(confirming?.id ?? "", /^dep_/);

    opened.clock.advance(60_000);
    await pay(core, address, "0.015", { transactionId });
    await watchSettlement(core);
    assert.deepEqual(await listDeposits(core, accountId), [
      {
        ...record,
        usdCents: 141_375,
        rate: { usd: "94250.00", at: seenAt + 60_000, sources: ["simulated"] },
        confirmations: 2,
        state: "CREDITED",
        creditedAt: seenAt + 60_000,
      },
    ]);
  });

  test("the latest hundred are listed, newest first, and only the account's own", async () => {
    const [ada, ben] = [await register(core), await register(core)];
    const address = await addressFor(core, ada.accountId, "USDT");
    const transactions: string[] = [];
    for (let paid = 0; paid < 103; paid += 1) {
      transactions.push(await pay(core, address, "1", { transactionId: `listed-${paid}` }));
    }
    await watchSettlement(core);
    opened.clock.advance(1);
    transactions.push(await pay(core, address, "1"));
    await watchSettlement(core);
    const listed = await listDeposits(core, ada.accountId);
    assert.deepEqual(
      listed.map(({ transactionId }) => transactionId),
      transactions.toReversed().slice(0, 100),
    );
    assert.deepEqual(await listDeposits(core, ben.accountId), []);
  });
});
