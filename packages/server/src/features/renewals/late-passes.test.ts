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
  rentOf,
  RentedServers,
  stateOf,
} from "#test/renewals.ts";
import { batchLength } from "./find-due.ts";
import { renewDueServers } from "./renew-due-servers.ts";
import { noRenewals } from "./renewal-counts.ts";

const weekly = { term: "weekly" } as const;

forEachEngine((engine) => {
  describe("a pass that is late, early or repeated", () => {
    const rented = RentedServers.forEachTest(engine);

    test("after a long stop, every ended period is charged while the money lasts, and no future one", async () => {
      const { core, now: delivered } = rented;
      const rich = await rented.serverOfNewCustomer(20_000, weekly);
      const poor = await rented.serverOfNewCustomer(2_500, weekly);
      const grace = await rented.serverOfNewCustomer(4_999, weekly);
      // Five periods have ended by then, the last of them within its grace.
      rented.advance(36 * dayMs);
      assert.deepEqual(await rented.pass(), {
        charged: 11,
        extended: 11,
        graced: 1,
        healed: 0,
        terminated: 1,
        cents: 11_000,
        expiredQuotes: 0,
      });
      const paidThrough = delivered + 42 * dayMs;
      const graceUntil = paidThrough + core.rules.graceMs;
      assert.deepEqual(await rentOf(core, rich.id), { state: "ACTIVE", paidThrough, graceUntil });
      assert.equal(await balanceOf(core, rich.accountId), 15_000);
      // It paid for two periods, and the grace of the third is over.
      assert.equal(await stateOf(core, poor.id), "TERMINATED");
      assert.equal(await balanceOf(core, poor.accountId), 500);
      assert.deepEqual(await rentOf(core, grace.id), {
        state: "GRACE",
        paidThrough: paidThrough - 7 * dayMs,
        graceUntil: graceUntil - 7 * dayMs,
      });
      assert.equal(await balanceOf(core, grace.accountId), 999);
      assert.deepEqual(await rented.pass(), noRenewals);
      await assertInvariantsHold(core.db);
    });

    test("a server in grace that can pay only one of two periods stays in grace", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(0, weekly);
      rented.advance(7 * dayMs);
      await rented.pass();
      await rented.change(server, { grace_until: rented.now + 30 * dayMs });
      rented.advance(8 * dayMs);
      await adjust(core, server.accountId, 1_000);
      const counts = await rented.pass();
      assert.deepEqual([counts.charged, counts.healed, counts.graced], [1, 0, 0]);
      assert.equal(await stateOf(core, server.id), "GRACE");
      assert.deepEqual(await systemActionsOn(core, server.id), [
        "server.enter_grace",
        "server.renew",
      ]);
    });

    test("an unpaid active server whose grace has already ended terminates immediately", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(999);
      rented.advance(30 * dayMs + core.rules.graceMs);
      assert.deepEqual(await rented.pass(), { ...noRenewals, terminated: 1 });
      assert.deepEqual(await systemActionsOn(core, server.id), ["server.terminate"]);
    });

    test("a charge is tried first, even long after the end of the grace", async () => {
      const server = await rented.serverOfNewCustomer(1_000);
      rented.advance(30 * dayMs + rented.core.rules.graceMs);
      const counts = await rented.pass();
      assert.deepEqual([counts.charged, counts.terminated], [1, 0]);
      assert.equal(await stateOf(rented.core, server.id), "ACTIVE");
    });

    test("a clock that jumps ahead and back charges no period twice", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(100_000, weekly);
      rented.advance(15 * dayMs);
      assert.equal((await rented.pass()).charged, 2);
      rented.advance(-14 * dayMs);
      assert.deepEqual(await rented.pass(), noRenewals);
      for (let day = 1; day < 29; day += 1) {
        rented.advance(dayMs);
        await rented.pass();
      }
      const causes = (await chargesOf(core, server.id)).map(({ cause }) => cause);
      assert.equal(causes.length, 4);
      assert.equal(new Set(causes).size, 4);
      assert.equal(await balanceOf(core, server.accountId), 96_000);
    });

    test("periods are charged in the order in which they ended, across weekly and monthly servers", async () => {
      const { core } = rented;
      const accountId = await rented.customer(4_000);
      const month = await rented.server(accountId);
      const week = await rented.server(accountId, weekly);
      rented.advance(30 * dayMs);
      const steps: unknown[] = [];
      await renewDueServers(core, { onStep: ({ kind, serverId }) => steps.push([kind, serverId]) });
      const renewed = ["renew", week.id];
      const graced = ["enter_grace", month.id];
      assert.deepEqual(steps, [renewed, renewed, renewed, renewed, graced]);
    });

    test("an account with more than a batch of overdue servers is renewed in the order of its periods", async () => {
      const { core } = rented;
      const accountId = await rented.customer(10_000_000);
      for (let index = 0; index < batchLength + 3; index += 1) {
        await rented.server(accountId, weekly);
        rented.advance(1_000);
      }
      rented.advance(22 * dayMs);
      const times: number[] = [];
      await renewDueServers(core, { onStep: ({ dueAt }) => times.push(dueAt) });
      assert.equal(times.length, 3 * (batchLength + 3));
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      assert.deepEqual(await rented.pass(), noRenewals);
      await assertInvariantsHold(core.db);
    });

    test("asOf in the future renews everything due by then and records it at the current time", async () => {
      const { core, now } = rented;
      const server = await rented.serverOfNewCustomer(1_000);
      const { counts } = await renewDueServers(core, { asOf: now + 30 * dayMs });
      assert.equal(counts.charged, 1);
      const [entry] = await core.db.read
        .selectFrom("journal")
        .select("created_at")
        .where("reference_id", "=", server.id)
        .execute();
      assert.equal(entry?.created_at, now);
      assert.deepEqual(await rented.pass(), noRenewals);
    });

    test("asOf in the past renews only what was due by then", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(0);
      const paidThrough = rented.now + 30 * dayMs;
      rented.advance(60 * dayMs);
      const early = await renewDueServers(core, { asOf: paidThrough - 1 });
      assert.deepEqual(early.counts, noRenewals);
      const then = await renewDueServers(core, { asOf: paidThrough });
      assert.deepEqual(then.counts, { ...noRenewals, graced: 1 });
      assert.equal((await rented.pass()).terminated, 1);
      assert.equal(await stateOf(core, server.id), "TERMINATED");
    });
  });
});
