import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { serverStates } from "@ironlease/contract";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import {
  assertInvariantsHold,
  endServer,
  releaseAddressesOf,
  seedMachine,
  seedServer,
} from "#test/rental.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { listServers } from "./list-servers.ts";
import { readServer } from "./read-server.ts";

const dayMs = 24 * 3_600_000;

forEachEngine((engine) => {
  describe("reading servers", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    test("the list has every server except terminated ones, newest first, even within one millisecond", async () => {
      const { accountId } = await register(core);
      const ids: string[] = [];
      for (const state of [...serverStates, ...serverStates]) {
        const { id } = await seedServer(core, accountId, { state });
        if (state !== "TERMINATED") ids.unshift(id);
        if (state === "GRACE") opened.clock.advance(1);
      }
      const listed = await listServers(core, accountId);
      assert.deepEqual(
        listed.map(({ id }) => id),
        ids,
      );
      await assertInvariantsHold(core.db);
    });

    test("a record has the order, the catalogue ids, the price, the term, paidThrough and graceUntil", async () => {
      const { accountId } = await register(core);
      const now = core.clock.now();
      const { id, orderId } = await seedServer(core, accountId, {
        configId: "metal-l",
        regionId: "sin",
        osId: "ubuntu-26",
        term: "weekly",
        priceCents: 4_999,
        autoRenew: false,
        ddosMode: "ADVANCED",
      });
      const [record] = await listServers(core, accountId);
      const expected = {
        id,
        orderId,
        configId: "metal-l",
        osId: "ubuntu-26",
        hostname: `${id.replace("_", "-")}.example.com`,
        state: "ACTIVE",
        region: "sin",
        term: "weekly",
        priceCents: 4_999,
        ddosCents: 0,
        paidThrough: now + 7 * dayMs,
        graceUntil: now + 10 * dayMs,
        autoRenew: 0,
        ddosMode: "ADVANCED",
        label: "",
        createdAt: now,
        suspendedAt: null,
        suspensionReason: null,
      };
      assert.deepEqual({ ...record }, expected);
      assert.deepEqual({ ...(await valueOf(readServer(core, accountId, id))).record }, expected);
    });

    test("an undelivered server has no hostname, address or paidThrough, and autoRenew is on", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId, { state: "PROVISIONING" });
      const { record, assignments } = await valueOf(readServer(core, accountId, id));
      const { hostname, paidThrough, graceUntil, autoRenew } = record;
      assert.deepEqual([hostname, paidThrough, graceUntil, autoRenew], [null, null, null, 1]);
      assert.deepEqual(assignments, []);
    });

    test("an account without servers has an empty list, even if other accounts have servers", async () => {
      const [{ accountId }, eve] = [await register(core), await register(core)];
      await seedServer(core, eve.accountId);
      assert.deepEqual(await listServers(core, accountId), []);
    });

    test("the detail has the server's current addresses, in the order of assignment", async () => {
      const { accountId } = await register(core);
      const server = await seedServer(core, accountId, { addressSets: 2 });
      await seedServer(core, accountId);
      const { assignments } = await valueOf(readServer(core, accountId, server.id));
      const report = assignments.map(({ id, serverId, family }) => [id, serverId, family]);
      const families = [4, 6, 4, 6];
      assert.deepEqual(
        report,
        server.assignmentIds.map((id, index) => [id, server.id, families[index]]),
      );
      const [ipv4, ipv6] = assignments;
      assert.match(`${ipv4!.address}/${ipv4!.prefixLength}`, /^10\..+\/32$/);
      assert.match(`${ipv6!.address}/${ipv6!.prefixLength}`, /^fd00:.+\/64$/);
      assert.equal(ipv4!.ptr, "");
      await releaseAddressesOf(core, server);
      const { assignments: left } = await valueOf(readServer(core, accountId, server.id));
      assert.deepEqual(left, []);
    });

    test("a terminated, another account's and an unknown server all get the same not_found", async () => {
      const [{ accountId }, eve] = [await register(core), await register(core)];
      const ended = await seedServer(core, accountId);
      await endServer(core, accountId, ended);
      const foreign = await seedServer(core, eve.accountId);
      for (const id of [ended.id, foreign.id, core.ids.next("server"), ""]) {
        assert.deepEqual(await readServer(core, accountId, id), {
          ok: false,
          refusal: { code: "not_found" },
        });
      }
      assert.equal(await codeOf(readServer(core, eve.accountId, foreign.id)), "ok");
    });

    test("seeded machines keep the stock equal to the number of free ones", async () => {
      for (const state of ["FREE", "FREE", "DIRTY", "RETIRED"] as const) {
        await seedMachine(core, { configId: "metal-x", state });
      }
      const stock = core.db.read
        .selectFrom("stock")
        .select("free")
        .where("config_id", "=", "metal-x");
      assert.equal((await stock.executeTakeFirstOrThrow()).free, 2);
      await assertInvariantsHold(core.db);
    });

    // The last test: its rows have no orders, so the invariants no longer hold.
    test("the list returns the newest 1,000 of 1,001 servers", async () => {
      const { accountId } = await register(core);
      const ids = await addServerRows(core, accountId, 1_001);
      const listed = await listServers(core, accountId);
      assert.deepEqual(
        listed.map(({ id }) => id),
        ids.slice(1).toReversed(),
      );
    });
  });
});

/** Copies of one seeded server, each on its own machine, in two statements. */
async function addServerRows(core: Core, accountId: string, count: number): Promise<string[]> {
  const { id, machineId } = await seedServer(core, accountId, { addressSets: 0 });
  const { read } = core.db;
  const server = await read
    .selectFrom("servers")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  const machine = await read
    .selectFrom("machines")
    .selectAll()
    .where("id", "=", machineId)
    .executeTakeFirst();
  const machines = Array.from({ length: count - 1 }, () => {
    const copyId = core.ids.next("machine");
    return { ...machine!, id: copyId, asset_tag: copyId };
  });
  const servers = machines.map((copy) => ({
    ...server!,
    id: core.ids.next("server"),
    machine_id: copy.id,
  }));
  await core.db.write(async (tx) => {
    await tx.insertInto("machines").values(machines).execute();
    await tx.insertInto("servers").values(servers).execute();
    return ok();
  });
  return [id, ...servers.map((copy) => copy.id)];
}
