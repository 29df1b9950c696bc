import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { testClient } from "#test/core.ts";
import { balanceOf } from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import {
  sendAllRequests,
  chargesOf,
  dayMs,
  systemActionsOn,
  crashingIds,
  crashingStatements,
  rentOf,
  RentedServers,
  stateOf,
} from "#test/renewals.ts";
import { lockAccount } from "#kernel/access/accounts.ts";
import { move } from "#kernel/ledger.ts";
import { DatabaseUnavailable } from "#ports/db.ts";
import { ok } from "#kernel/result.ts";
import { renewDueServers } from "./renew-due-servers.ts";
import { noRenewals } from "./renewal-counts.ts";

forEachEngine((engine) => {
  describe("concurrent renewal passes", () => {
    const rented = RentedServers.forEachTest(engine);

    test("two instances charge each period once", async () => {
      const other = await rented.opened.reopen();
      const accountIds = await Promise.all(
        Array.from({ length: 7 }, () => rented.customer(14_000)),
      );
      const servers = [];
      for (let index = 0; index < 70; index += 1) {
        const accountId = accountIds[index % 7] ?? assert.fail();
        servers.push(await rented.server(accountId, { term: "weekly" }));
      }
      // Two periods each, and money for exactly ten of each account's twenty.
      rented.advance(15 * dayMs);
      const passes = await Promise.all(
        [rented.core, other, rented.core, other].map((core) => renewDueServers(core)),
      );
      assert.deepEqual(
        passes.flatMap(({ failures }) => failures),
        [],
      );
      const charged = passes.reduce((sum, { counts }) => sum + counts.charged, 0);
      assert.equal(charged, 7 * 14);
      for (const accountId of accountIds) {
        assert.equal(await balanceOf(rented.core, accountId), 0);
      }
      // All first periods come before any second one.
      for (const { id } of servers) assert.ok((await chargesOf(rented.core, id)).length >= 1);
      assert.deepEqual((await renewDueServers(other)).counts, noRenewals);
      await assertInvariantsHold(rented.core.db);
    });

    test("an account that is locked temporarily is still renewed in the same pass", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(1_000);
      rented.advance(30 * dayMs);
      const isHeld = Promise.withResolvers<void>();
      const letGo = Promise.withResolvers<void>();
      const other = await rented.opened.reopen();
      const holding = other.db.write(async (tx) => {
        await lockAccount(tx, server.accountId);
        isHeld.resolve();
        await letGo.promise;
        return ok();
      });
      await isHeld.promise;
      const passing = renewDueServers(core);
      setImmediate(letGo.resolve);
      assert.equal((await passing).counts.charged, 1);
      await holding;
    });

    test("a process that dies at any point of a pass leaves no partial step, and the next pass continues", async () => {
      const { core } = rented;
      const paying = await rented.serverOfNewCustomer(1_000);
      const broke = await rented.serverOfNewCustomer(0, { autoRenew: false });
      const ending = await rented.serverOfNewCustomer(0, { term: "weekly" });
      rented.advance(30 * dayMs);
      // Five writes: an entry and an audit record, an audit record, work and an audit record.
      for (let failAt = 1; failAt <= 5; failAt += 1) {
        const dying = { ...core, ids: crashingIds(core.ids, failAt) };
        const { counts } = await renewDueServers(dying);
        assert.deepEqual(counts, noRenewals);
        assert.equal(await balanceOf(core, paying.accountId), 1_000);
        assert.equal(await stateOf(core, ending.id), "ACTIVE");
        assert.deepEqual(await systemActionsOn(core, broke.id), []);
        await assertInvariantsHold(core.db);
      }
      assert.deepEqual(await rented.pass(), {
        charged: 1,
        extended: 1,
        graced: 1,
        healed: 0,
        terminated: 1,
        cents: 1_000,
        expiredQuotes: 0,
      });
      await assertInvariantsHold(core.db);
    });

    test("a process that dies between two statements of a batch leaves none of its steps", async () => {
      const { core } = rented;
      const accountId = await rented.customer(2_500);
      const paying = [await rented.server(accountId), await rented.server(accountId)];
      const broke = await rented.server(accountId);
      rented.advance(30 * dayMs);
      // Accounts, servers, balances, then five writes.
      for (let failAt = 1; failAt <= 8; failAt += 1) {
        const { counts } = await renewDueServers({
          ...core,
          db: crashingStatements(core.db, failAt),
        });
        assert.deepEqual(counts, noRenewals, `at statement ${failAt}`);
        assert.equal(await balanceOf(core, accountId), 2_500);
        for (const { id } of [...paying, broke]) {
          assert.equal(await stateOf(core, id), "ACTIVE");
          assert.deepEqual(await chargesOf(core, id), []);
          assert.deepEqual(await systemActionsOn(core, id), []);
        }
        await assertInvariantsHold(core.db);
      }
      const { counts } = await renewDueServers({ ...core, db: crashingStatements(core.db, 9) });
      assert.deepEqual([counts.charged, counts.graced], [2, 1]);
      assert.equal(await balanceOf(core, accountId), 500);
      await assertInvariantsHold(core.db);
    });

    test("a charge that the database refuses is found in its batch, and the others are renewed", async () => {
      const { core } = rented;
      const accountId = await rented.customer(10_000);
      const servers = [];
      for (let index = 0; index < 5; index += 1) servers.push(await rented.server(accountId));
      const refused = servers[2] ?? assert.fail();
      const dueAt = (await rentOf(core, refused.id)).paidThrough;
      // Impossible through the service: the period has a charge, but the server was not extended.
      await core.db.write((tx) =>
        move(
          { tx, core },
          {
            type: "RENEWAL_CHARGE",
            accountId,
            cents: 1_000,
            cause: `renewal/${refused.id}/${dueAt}`,
            description: "Test",
            reference: { kind: "server", id: refused.id },
          },
        ),
      );
      rented.advance(30 * dayMs);
      const { counts, failures } = await renewDueServers(core);
      assert.deepEqual(failures.map(String), [`RenewalFailed: ${refused.id} was not renewed`]);
      assert.equal(counts.charged, 4);
      assert.equal(await balanceOf(core, accountId), 10_000 - 1_000 - 4_000);
      await assertInvariantsHold(core.db);
    });

    test("a server whose renewal fails is reported and does not block the others", async () => {
      const { core } = rented;
      const accountId = await rented.customer(10_000);
      const sound = await rented.server(accountId);
      const broken = await rented.server(accountId, { autoRenew: false });
      const later = await rented.server(accountId);
      // Impossible through the service: the machine's state contradicts its server.
      await core.db.write(async (tx) => {
        const moved = tx.updateTable("machines").set({ state: "RETIRED" });
        await moved.where("id", "=", broken.machineId).execute();
        return ok();
      });
      rented.advance(30 * dayMs + core.rules.graceMs);
      const { counts, failures } = await renewDueServers(core);
      assert.equal(counts.charged, 2);
      assert.deepEqual(failures.map(String), [`RenewalFailed: ${broken.id} was not renewed`]);
      assert.equal(await stateOf(core, broken.id), "ACTIVE");
      for (const { id } of [sound, later]) {
        assert.ok(((await rentOf(core, id)).paidThrough ?? 0) > rented.now);
      }
    });

    test("an unavailable database ends the pass with a failure", async () => {
      const other = await rented.opened.reopen();
      await rented.serverOfNewCustomer(1_000);
      rented.advance(30 * dayMs);
      await other.db.close();
      const { counts, failures } = await renewDueServers(other);
      assert.deepEqual(counts, noRenewals);
      assert.equal(failures.length, 1);
      assert.ok(failures[0] instanceof DatabaseUnavailable);
    });

    test("a customer's request during termination takes effect before it or is not_found", async () => {
      const { core } = rented;
      const servers = [];
      for (let index = 0; index < 12; index += 1) servers.push(await rented.serverOfNewCustomer(0));
      rented.advance(30 * dayMs + core.rules.graceMs);
      const other = await rented.opened.reopen();
      const [pass, ...answers] = await Promise.all([
        renewDueServers(other),
        ...servers.map((server) => sendAllRequests(core, testClient, server)),
      ]);
      assert.equal(pass.counts.terminated, servers.length);
      const known = ["ok", "not_found"];
      assert.ok(
        answers.flat().every((answer) => known.includes(answer)),
        String(answers),
      );
      for (const { id } of servers) assert.equal(await stateOf(core, id), "TERMINATED");
      await assertInvariantsHold(core.db);
    });
  });
});
