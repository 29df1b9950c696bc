import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { endProvisionWork } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold, seedServer, type SeededServer, reserveOnly } from "#test/rental.ts";
import type { Core } from "#kernel/core.ts";
import { addSubnet } from "#kernel/subnets.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { abandonProvisioning } from "./abandon-provisioning.ts";
import { provisionServer } from "./provision-server.ts";

const codeOf = (result: Result<unknown>) => (result.ok ? "ok" : result.refusal.code);

forEachEngine((engine) => {
  describe("abandoning a delivery", () => {
    let testCore: TestCore;
    let core: Core;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      await core.db.write((tx) =>
        addSubnet({ tx, core }, { regionId: "fra", cidr: "192.0.2.0/24" }),
      );
    });
    after(() => testCore.dispose());

    const ordered = async (priceCents: number, configId = "metal-s") => {
      const { accountId } = await register(core);
      const seed = { state: "PROVISIONING", priceCents, configId } as const;
      return { accountId, ...(await seedServer(core, accountId, seed)) };
    };
    const abandon = (serverId: string, on = core) =>
      on.db.write(async (tx) => {
        const reason = "the disk is broken";
        const abandoned = await abandonProvisioning(
          { tx, core: on },
          {
            serverId,
            reason,
            description: "Not delivered: the disk is broken",
            machineState: "FREE",
          },
        );
        if (abandoned.ok) await endProvisionWork(tx, on, serverId, "FAILED");
        return abandoned;
      });
    const balanceOf = async ({ accountId }: { accountId: string }) => {
      const query = core.db.read.selectFrom("balances").select("available_cents");
      return (await query.where("account_id", "=", accountId).executeTakeFirst())?.available_cents;
    };
    const statesOf = async ({ id, machineId }: SeededServer) => {
      const servers = core.db.read.selectFrom("servers").select("state").where("id", "=", id);
      const machines = core.db.read.selectFrom("machines").select("state");
      const machine = await machines.where("id", "=", machineId).executeTakeFirst();
      return [(await servers.executeTakeFirst())?.state, machine?.state];
    };

    test("refunds exactly the server's share, terminates it, and sets its machine FREE on request", async () => {
      const server = await ordered(3_901, "metal-one");
      assert.equal(await balanceOf(server), 0);
      assert.deepEqual(await abandon(server.id), { ok: true, value: { refundedCents: 3_901 } });
      assert.equal(await balanceOf(server), 3_901);
      assert.deepEqual(await statesOf(server), ["TERMINATED", "FREE"]);
      const entry = await core.db.read
        .selectFrom("journal")
        .select(["type", "change_cents", "cause", "description", "reference_kind", "reference_id"])
        .where("reference_id", "=", server.id)
        .executeTakeFirstOrThrow();
      assert.deepEqual(
        { ...entry },
        {
          type: "REFUND",
          change_cents: 3_901,
          cause: `refund/${server.id}`,
          description: "Not delivered: the disk is broken",
          reference_kind: "server",
          reference_id: server.id,
        },
      );
      const sold = await core.db.write((tx) => reserveOnly(tx, { configId: "metal-one" }));
      assert.deepEqual(sold, { ok: true, value: [server.machineId] });
      // Released, so that the invariants at the end find no reservation without a server.
      await core.db.write(async (tx) =>
        ok(
          await tx
            .updateTable("machines")
            .set({ state: "RETIRED" })
            .where("id", "=", server.machineId)
            .execute(),
        ),
      );
    });

    test("a free server gets no refund", async () => {
      const server = await ordered(1);
      let seen: unknown;
      // Rolled back, because only an order of several servers for a few cents has a free share.
      await core.db.write(async (tx) => {
        const servers = tx.updateTable("servers").set({ price_cents: 0 });
        await servers.where("id", "=", server.id).execute();
        const abandoned = await abandonProvisioning(
          { tx, core },
          {
            serverId: server.id,
            reason: "",
            description: "",
            machineState: "DIRTY",
          },
        );
        const moved = tx.selectFrom("journal").select("id").where("reference_id", "=", server.id);
        const state = tx.selectFrom("servers").select("state").where("id", "=", server.id);
        seen = [abandoned, await moved.execute(), (await state.executeTakeFirst())?.state];
        return refuse("conflict");
      });
      assert.deepEqual(seen, [{ ok: true, value: { refundedCents: 0 } }, [], "TERMINATED"]);
    });

    test("a server that is not PROVISIONING is a conflict without a refund", async () => {
      for (const state of ["ACTIVE", "GRACE", "SUSPENDED", "TERMINATED"] as const) {
        const { accountId } = await register(core);
        const server = await seedServer(core, accountId, { state, regionId: "ams" });
        const before = await statesOf(server);
        assert.equal(codeOf(await abandon(server.id)), "conflict", state);
        assert.deepEqual(await statesOf(server), before);
        assert.equal(await balanceOf({ accountId }), 0);
      }
      assert.equal(codeOf(await abandon("srv_unknown")), "not_found");
    });

    test("concurrent attempts to abandon one server refund it once", async () => {
      const other = await testCore.reopen();
      const server = await ordered(5_000);
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          abandon(server.id, index % 2 === 0 ? core : other),
        ),
      );
      assert.equal(results.filter((result) => result.ok).length, 1);
      assert.equal(results.filter((result) => codeOf(result) === "conflict").length, 19);
      assert.equal(await balanceOf(server), 5_000);
    });

    test("a server is either delivered or abandoned, never both", async () => {
      const other = await testCore.reopen();
      for (let round = 0; round < 10; round += 1) {
        const server = await ordered(700);
        const provision = other.db.write(async (tx) => {
          const provisioned = await provisionServer({ tx, core: other }, { serverId: server.id });
          if (provisioned.ok) await endProvisionWork(tx, other, server.id, "DONE");
          return provisioned;
        });
        const [delivered, abandoned] = await Promise.all([provision, abandon(server.id)]);
        assert.notEqual(delivered.ok, abandoned.ok);
        assert.equal(await balanceOf(server), abandoned.ok ? 700 : 0);
        const expected = abandoned.ok ? ["TERMINATED", "FREE"] : ["ACTIVE", "ASSIGNED"];
        assert.deepEqual(await statesOf(server), expected);
      }
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
