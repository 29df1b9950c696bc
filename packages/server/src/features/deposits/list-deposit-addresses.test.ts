import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { register, type TestCore } from "#test/core.ts";
import { addressFor, createDepositCore, pay } from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { listDepositAddresses } from "./list-deposit-addresses.ts";
import { watchSettlement } from "./watch-settlement.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;
  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
  });
  after(() => opened.dispose());

  test("addresses are listed newest first, with how many payments each has received", async () => {
    const [ada, bob] = [await register(core), await register(core)];
    const first = await addressFor(core, ada.accountId, "BTC");
    const second = await addressFor(core, ada.accountId, "XMR");
    await addressFor(core, bob.accountId, "BTC");
    for (const transactionId of ["one", "two"]) await pay(core, first, "0.01", { transactionId });
    await watchSettlement(core);
    const createdAt = core.clock.now();
    const listed = await listDepositAddresses(core, ada.accountId);
    assert.deepEqual(
      listed.map(({ id: _id, ...record }) => ({ ...record })),
      [
        {
          address: second,
          asset: "XMR",
          network: "monero",
          mode: "SIMULATED",
          createdAt,
          deposits: 0,
        },
        {
          address: first,
          asset: "BTC",
          network: "bitcoin",
          mode: "SIMULATED",
          createdAt,
          deposits: 2,
        },
      ],
    );
    assert.ok(listed.every(({ id }) => id.startsWith("dpa_")));
  });

  test("a request that the provider has not answered is not listed, and the list ends at 100", async () => {
    const { accountId } = await register(core);
    await core.db.write(async (tx) => {
      for (let index = 0; index < 103; index += 1) {
        const id = core.ids.next("depositAddress");
        await tx
          .insertInto("deposit_addresses")
          .values({
            id,
            account_id: accountId,
            intent_key: id,
            asset: "BTC",
            network: "bitcoin",
            mode: "SIMULATED",
            address: index === 102 ? null : `sim-${id}`,
            confirmations_required: 2,
            created_at: core.clock.now(),
          })
          .execute();
      }
      return ok();
    });
    const listed = await listDepositAddresses(core, accountId);
    assert.equal(listed.length, 100);
    assert.ok(listed.every(({ address }) => address !== null));
  });
});
