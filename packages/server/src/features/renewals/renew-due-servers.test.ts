import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { balanceOf } from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { adjust } from "#test/rental-service.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import {
  chargesOf,
  dayMs,
  systemActionsOn,
  hourMs,
  rentOf,
  RentedServers,
  stateOf,
} from "#test/renewals.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { renewDueServers } from "./renew-due-servers.ts";
import { noRenewals } from "./renewal-counts.ts";

const oneCharge = { ...noRenewals, charged: 1, extended: 1, cents: 1_000 };

forEachEngine((engine) => {
  describe("renewing due servers", () => {
    const rented = RentedServers.forEachTest(engine);

    for (const [term, days, periods] of [
      ["monthly", 30, 12],
      ["weekly", 7, 52],
    ] as const) {
      test(`a ${term} server is charged once for each of ${periods} periods of a year, to the cent`, async () => {
        const { core } = rented;
        const seed = { term, priceCents: 4_999 } as const;
        const server = await rented.serverOfNewCustomer(periods * 4_999 + 17, seed);
        const endOf = (
          (start: number) => (period: number) =>
            start + period * days * dayMs
        )(rented.now);
        for (let hours = 0; hours < 365 * 24; hours += 12) {
          rented.advance(12 * hourMs);
          await rented.pass();
          const { paidThrough } = await rentOf(core, server.id);
          assert.ok(paidThrough !== null && paidThrough > rented.now);
          assert.ok(paidThrough <= rented.now + days * dayMs);
        }
        const until = (ms: number) => `${isoTime(ms).slice(0, 10)} ${isoTime(ms).slice(11, 16)}`;
        assert.deepEqual(
          await chargesOf(core, server.id),
          Array.from({ length: periods }, (_, index) => ({
            accountId: server.accountId,
            cause: `renewal/${server.id}/${endOf(index + 1)}`,
            cents: 4_999,
            description: `Renewal of ${server.id.replace("_", "-")}.example.com until ${until(endOf(index + 2))} UTC`,
          })),
        );
        assert.equal(await balanceOf(core, server.accountId), 17);
        assert.deepEqual(await rentOf(core, server.id), {
          state: "ACTIVE",
          paidThrough: endOf(periods + 1),
          graceUntil: endOf(periods + 1) + core.rules.graceMs,
        });
        await assertInvariantsHold(core.db);
      });
    }

    test("a server is renewed exactly once, at the end of its period and not a millisecond before", async () => {
      const server = await rented.serverOfNewCustomer(5_000);
      rented.advance(30 * dayMs - 1);
      assert.deepEqual(await rented.pass(), noRenewals);
      rented.advance(1);
      assert.deepEqual(await rented.pass(), oneCharge);
      assert.deepEqual(await rented.pass(), noRenewals);
      assert.deepEqual(await systemActionsOn(rented.core, server.id), ["server.renew"]);
    });

    test("money that arrives during grace ends it, and the new term continues from the old paidThrough", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(999);
      const paidThrough = rented.now + 30 * dayMs;
      rented.advance(30 * dayMs);
      assert.deepEqual(await rented.pass(), { ...noRenewals, graced: 1 });
      rented.advance(2 * dayMs);
      assert.deepEqual(await rented.pass(), noRenewals);
      assert.equal(await stateOf(core, server.id), "GRACE");
      await adjust(core, server.accountId, 1);
      assert.deepEqual(await rented.pass(), { ...oneCharge, healed: 1 });
      assert.deepEqual(await rentOf(core, server.id), {
        state: "ACTIVE",
        paidThrough: paidThrough + 30 * dayMs,
        graceUntil: paidThrough + 30 * dayMs + core.rules.graceMs,
      });
      assert.equal(await balanceOf(core, server.accountId), 0);
      assert.deepEqual(await systemActionsOn(core, server.id), [
        "server.enter_grace",
        "server.renew",
      ]);
      await assertInvariantsHold(core.db);
    });

    test("without autoRenew nothing is charged and the server ends after grace, unless autoRenew is switched on in time", async () => {
      const { core } = rented;
      const ends = await rented.serverOfNewCustomer(100_000, { autoRenew: false });
      const heals = await rented.serverOfNewCustomer(100_000, { autoRenew: false });
      rented.advance(30 * dayMs);
      assert.deepEqual(await rented.pass(), { ...noRenewals, graced: 2 });
      rented.advance(core.rules.graceMs - 1);
      assert.deepEqual(await rented.pass(), noRenewals);
      await rented.change(heals, { auto_renew: 1 });
      rented.advance(1);
      assert.deepEqual(await rented.pass(), { ...oneCharge, healed: 1, terminated: 1 });
      assert.equal(await stateOf(core, ends.id), "TERMINATED");
      assert.equal(await balanceOf(core, ends.accountId), 100_000);
      assert.equal(await stateOf(core, heals.id), "ACTIVE");
      assert.deepEqual(await systemActionsOn(core, ends.id), [
        "server.enter_grace",
        "server.terminate",
      ]);
      await assertInvariantsHold(core.db);
    });

    test("with money for one of two servers, the one that was due first is renewed", async () => {
      const { core } = rented;
      const accountId = await rented.customer(1_500);
      const first = await rented.server(accountId);
      rented.advance(1);
      const later = await rented.server(accountId);
      rented.advance(30 * dayMs);
      assert.deepEqual(await rented.pass(), { ...oneCharge, graced: 1 });
      assert.equal(await stateOf(core, first.id), "ACTIVE");
      assert.equal(await stateOf(core, later.id), "GRACE");
      await assertInvariantsHold(core.db);
    });

    test("a suspended server is charged and stays suspended, or ends if it is not paid", async () => {
      const { core } = rented;
      const paying = await rented.serverOfNewCustomer(1_000, { state: "SUSPENDED" });
      const broke = await rented.serverOfNewCustomer(0, { state: "SUSPENDED" });
      rented.advance(30 * dayMs);
      assert.deepEqual(await rented.pass(), oneCharge);
      assert.equal(await stateOf(core, paying.id), "SUSPENDED");
      assert.equal(await stateOf(core, broke.id), "SUSPENDED");
      rented.advance(core.rules.graceMs);
      assert.deepEqual(await rented.pass(), { ...noRenewals, terminated: 1 });
      assert.equal(await stateOf(core, broke.id), "TERMINATED");
      await assertInvariantsHold(core.db);
    });

    test("a free server is extended without a ledger entry", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(5);
      await rented.change(server, { price_cents: 0 });
      rented.advance(30 * dayMs);
      assert.deepEqual(await rented.pass(), { ...noRenewals, extended: 1 });
      assert.deepEqual(await chargesOf(core, server.id), []);
      assert.equal(await balanceOf(core, server.accountId), 5);
      assert.deepEqual(await systemActionsOn(core, server.id), ["server.renew"]);
    });

    test("an undelivered server is never due, and servers of a frozen account renew as usual", async () => {
      const { core } = rented;
      const waiting = await rented.serverOfNewCustomer(1_000, { state: "PROVISIONING" });
      const { accountId } = await rented.serverOfNewCustomer(1_000);
      await core.db.write(async (tx) => {
        const frozen = tx
          .updateTable("accounts")
          .set({ frozen_at: rented.now, frozen_reason: "Test." });
        await frozen.where("id", "=", accountId).execute();
        return { ok: true, value: undefined };
      });
      rented.advance(40 * dayMs);
      assert.deepEqual(await rented.pass(), oneCharge);
      assert.equal(await stateOf(core, waiting.id), "PROVISIONING");
    });

    test("a pass does not write an unpaid server in grace again, and a stopped pass writes nothing", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(0);
      rented.advance(30 * dayMs);
      await rented.pass();
      assert.deepEqual(await rented.pass(), noRenewals);
      await adjust(core, server.accountId, 1_000);
      const stopped = await renewDueServers(core, { stop: AbortSignal.abort() });
      assert.deepEqual(stopped, { counts: noRenewals, failures: [] });
      assert.deepEqual(await systemActionsOn(core, server.id), ["server.enter_grace"]);
      assert.equal((await rented.pass()).healed, 1);
    });
  });
});
