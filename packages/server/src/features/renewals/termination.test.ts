import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { dayMs, RentedServers, stateOf, type RentedServer } from "#test/renewals.ts";
import { wipeMachine } from "#kernel/inventory.ts";
import { queueWork } from "#kernel/work-queue/items.ts";
import { ok } from "#kernel/result.ts";

forEachEngine((engine) => {
  describe("the end of an unpaid server", () => {
    const rented = RentedServers.forEachTest(engine);

    const terminate = async () => {
      rented.advance(30 * dayMs + rented.core.rules.graceMs);
      assert.equal((await rented.pass()).terminated, 1);
    };
    const machineOf = async ({ machineId }: RentedServer) => {
      const { read } = rented.core.db;
      const machines = read.selectFrom("machines").select(["state"]).where("id", "=", machineId);
      const stock = read.selectFrom("stock").select("free");
      return [
        (await machines.executeTakeFirstOrThrow()).state,
        (await stock.executeTakeFirstOrThrow()).free,
      ];
    };
    const workFor = async ({ id }: RentedServer) => {
      const rows = await rented.core.db.read
        .selectFrom("work")
        .select(["kind", "state", "outcome", "detail", "account_id"])
        .where("server_id", "=", id)
        .where("kind", "<>", "PROVISION")
        .orderBy("id")
        .execute();
      return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as object }));
    };

    test("makes the machine DIRTY, not FREE, and queues the RECLAIM work once", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(999);
      await terminate();
      assert.deepEqual(await machineOf(server), ["DIRTY", 0]);
      assert.deepEqual(await rented.pass(), {
        charged: 0,
        extended: 0,
        graced: 0,
        healed: 0,
        terminated: 0,
        cents: 0,
        expiredQuotes: 0,
      });
      const [reclaim, ...others] = await workFor(server);
      assert.deepEqual(others, []);
      assert.deepEqual(reclaim, {
        kind: "RECLAIM",
        state: "OPEN",
        outcome: null,
        account_id: server.accountId,
        detail: {
          machineId: server.machineId,
          hostname: `${server.id.replace("_", "-")}.example.com`,
          configId: "metal-s",
          regionId: "fra",
          reason: "It was not paid for by 2026-12-18T09:30:00.000Z.",
        },
      });
      await assertInvariantsHold(core.db);
      const wiped = await core.db.write(async (tx) => {
        const reclaims = tx
          .updateTable("work")
          .set({ state: "DONE", outcome: "WIPED", ended_at: rented.now });
        await reclaims.where("kind", "=", "RECLAIM").execute();
        return wipeMachine(tx, server.machineId);
      });
      assert.ok(wiped.ok);
      assert.deepEqual(await machineOf(server), ["FREE", 1]);
      await assertInvariantsHold(core.db);
    });

    test("releases its addresses, which are assigned next", async () => {
      const { core } = rented;
      await rented.serverOfNewCustomer(0, { addressSets: 2 });
      const living = () =>
        core.db.read
          .selectFrom("assignments")
          .select("address")
          .where("released_at", "is", null)
          .orderBy("id")
          .execute();
      const before = await living();
      assert.equal(before.length, 4);
      await terminate();
      assert.deepEqual(await living(), []);
      await rented.serverOfNewCustomer(0, { addressSets: 2 });
      assert.deepEqual(await living(), before);
      await assertInvariantsHold(core.db);
    });

    test("ends its open work, claimed or not, and clears the requested mode", async () => {
      const { core } = rented;
      const server = await rented.serverOfNewCustomer(0);
      const { accountId, id: serverId } = server;
      await core.db.write(async (tx) => {
        const detail = {};
        const of = { accountId, serverId, detail };
        await queueWork({ tx, core }, [{ kind: "SERVER_ACTION", ...of }]);
        await tx
          .updateTable("work")
          .set({ state: "DONE", outcome: "PERFORMED", ended_at: rented.now })
          .where("kind", "=", "SERVER_ACTION")
          .execute();
        await queueWork({ tx, core }, [
          { kind: "SERVER_ACTION", ...of },
          { kind: "DDOS", ...of },
        ]);
        await tx
          .updateTable("work")
          .set({ state: "CLAIMED", claimed_by: "opr_x", lease_until: rented.now + 1 })
          .where("kind", "=", "DDOS")
          .execute();
        return ok();
      });
      await rented.change(server, { ddos_requested_mode: "ADVANCED" });
      await terminate();
      const work = (await workFor(server)).map(({ kind, state, outcome }) => [
        kind,
        state,
        outcome,
      ]);
      assert.deepEqual(work, [
        ["SERVER_ACTION", "DONE", "PERFORMED"],
        ["SERVER_ACTION", "FAILED", "SERVER_ENDED"],
        ["DDOS", "FAILED", "SERVER_ENDED"],
        ["RECLAIM", "OPEN", null],
      ]);
      const { ddos_requested_mode: requested } = await core.db.read
        .selectFrom("servers")
        .select("ddos_requested_mode")
        .where("id", "=", serverId)
        .executeTakeFirstOrThrow();
      assert.equal(requested, null);
      await assertInvariantsHold(core.db);
    });

    test("leaves the customer's other servers and their work unchanged", async () => {
      const { core } = rented;
      const ends = await rented.serverOfNewCustomer(0);
      rented.advance(1);
      const stays = await rented.server(ends.accountId);
      const { accountId, id: serverId } = stays;
      const asked = { kind: "SERVER_ACTION", accountId, serverId, detail: {} } as const;
      await core.db.write(async (tx) => ok(await queueWork({ tx, core }, [asked])));
      rented.advance(30 * dayMs + core.rules.graceMs - 1);
      const counts = await rented.pass();
      assert.deepEqual([counts.terminated, counts.graced], [1, 1]);
      assert.equal(await stateOf(core, stays.id), "GRACE");
      assert.deepEqual(
        (await workFor(stays)).map(({ kind, state }) => [kind, state]),
        [["SERVER_ACTION", "OPEN"]],
      );
      await assertInvariantsHold(core.db);
    });
  });
});
