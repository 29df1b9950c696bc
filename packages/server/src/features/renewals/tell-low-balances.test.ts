import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import { lowBalanceAheadMs } from "#kernel/terms.ts";
import { forEachEngine } from "#test/engines.ts";
import { eventsOf, subscribe } from "#test/outbox.ts";
import { adjust } from "#test/rental-service.ts";
import { dayMs, RentedServers } from "#test/renewals.ts";
import { tellLowBalances } from "./tell-low-balances.ts";

forEachEngine((engine) => {
  describe("balance.low", () => {
    const rented = RentedServers.forEachTest(engine);

    test("one event when the balance does not cover three days, and another after it recovers", async () => {
      const { core } = rented;
      const accountId = await rented.customer(2_000);
      await subscribe(core, accountId);
      for (let count = 0; count < 2; count += 1) await rented.server(accountId);
      await rented.server(accountId, { term: "weekly", autoRenew: false });
      const told = async () => {
        await Promise.all([tellLowBalances(core), tellLowBalances(core)]);
        return (await eventsOf(core, accountId)).filter(({ event }) => event === "balance.low");
      };

      rented.advance(30 * dayMs - lowBalanceAheadMs - 1);
      await adjust(core, accountId, -1);
      assert.deepEqual(await told(), [], "the renewals are more than three days away");
      rented.advance(1);
      const first = {
        event: "balance.low",
        data: {
          balanceUsd: 19.99,
          neededUsd: 20,
          until: isoTime(rented.now + lowBalanceAheadMs),
        },
      };
      assert.deepEqual(await told(), [first]);
      rented.advance(dayMs);
      assert.deepEqual(await told(), [first]);
      await adjust(core, accountId, 1);
      assert.deepEqual(await told(), [first], "the balance covers the renewals");
      await adjust(core, accountId, -2_000);
      const events = await told();
      assert.equal(events.length, 2);
      assert.deepEqual(events[1]?.data["balanceUsd"], 0);
    });

    test("no event for accounts that can pay for their servers", async () => {
      const { core } = rented;
      const { accountId } = await rented.serverOfNewCustomer(1_000);
      await subscribe(core, accountId);
      rented.advance(30 * dayMs - 1);
      await tellLowBalances(core);
      assert.deepEqual(await eventsOf(core, accountId), []);
      assert.deepEqual(await core.db.read.selectFrom("low_balances").selectAll().execute(), []);

      // What ADVANCED adds to every renewal counts too.
      await core.db.write(async (tx) => {
        const advanced = { ddos_mode: "ADVANCED", ddos_cents: 1 } as const;
        await tx.updateTable("servers").set(advanced).where("account_id", "=", accountId).execute();
        return ok();
      });
      await tellLowBalances(core);
      assert.deepEqual(
        (await eventsOf(core, accountId)).map(({ data }) => data["neededUsd"]),
        [10.01],
      );
    });
  });
});
