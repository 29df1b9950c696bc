import assert from "node:assert/strict";
import { test } from "node:test";
import { register } from "#test/bare-core.ts";
import { createTestCore } from "#test/core.ts";
import {
  addressFor,
  balanceOf,
  outputTo,
  scriptedSettlement,
  settableRates,
} from "#test/deposits.ts";
import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";

// All Litecoin ever is fewer than 2^53 units, so a scripted chain reports these.
forEachEngine((engine) => {
  test("amounts above 2^53 units are recorded and credited exactly", async (t) => {
    const settlement = scriptedSettlement();
    const opened = await createTestCore(engine, {
      settlement: () => settlement,
      rates: () => settableRates({ ETH: "2000" }),
    });
    const { core } = opened;
    t.after(async () => {
      await assertInvariantsHold(core.db);
      await opened.dispose();
    });
    const { accountId } = await register(core);
    const address = await addressFor(core, accountId, "ETH");
    // The second is worth a cent more, by one unit that a double cannot represent.
    const amounts = [12_345_674_999_999_999_999n, 12_345_675_000_000_000_000n, 2n ** 53n + 1n];
    settlement.report(
      ...amounts.map((amountUnits, index) =>
        outputTo(address, { asset: "ETH", transactionId: `large-${index}`, amountUnits }),
      ),
    );
    const { credited, failures } = await watchSettlement(core);
    assert.deepEqual([credited, failures], [3, []]);
    const rows = await core.db.read
      .selectFrom("deposits")
      .select(["amount_units as units", "usd_cents as cents"])
      .orderBy("transaction_id")
      .execute();
    assert.deepEqual(rows, [
      { units: "12345674999999999999", cents: 24_691_34 },
      { units: "12345675000000000000", cents: 24_691_35 },
      { units: "9007199254740993", cents: 18_01 },
    ]);
    assert.equal(await balanceOf(core, accountId), 24_691_34 + 24_691_35 + 18_01);
  });
});
