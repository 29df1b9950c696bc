import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { endProvisionWork } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold, seedServer, type ServerSeed } from "#test/rental.ts";
import type { Core } from "#kernel/core.ts";
import { addSubnet } from "#kernel/subnets.ts";
import type { Result } from "#ports/result.ts";
import { provisionServer } from "./provision-server.ts";

const dayMs = 86_400_000;
const codeOf = (result: Result<unknown>) => (result.ok ? "ok" : result.refusal.code);
const valueOf = <T>(result: Result<T>): T =>
  result.ok ? result.value : assert.fail(result.refusal.message ?? result.refusal.code);

forEachEngine((engine) => {
  describe("provisioning a server", () => {
    let testCore: TestCore;
    let core: Core;
    let accountId: string;
    before(async () => {
      testCore = await createTestCore(engine, { rules: { graceMs: 5 * dayMs } });
      ({ core } = testCore);
      ({ accountId } = await register(core));
      await add("fra", "192.0.2.0/24");
      await add("fra", "2001:db8:ffff::/48");
    });
    after(() => testCore.dispose());

    const add = (regionId: string, cidr: string) =>
      core.db.write((tx) => addSubnet({ tx, core }, { regionId, cidr }));
    const ordered = (seed: ServerSeed = {}) =>
      seedServer(core, accountId, { state: "PROVISIONING", ...seed });
    const provision = (serverId: string, hostname?: string, on = core) =>
      on.db.write(async (tx) => {
        const delivered = await provisionServer({ tx, core: on }, { serverId, hostname });
        if (delivered.ok) await endProvisionWork(tx, on, serverId, "DONE");
        return delivered;
      });
    const look = (serverId: string) =>
      core.db.read
        .selectFrom("servers")
        .innerJoin("machines", "machines.id", "servers.machine_id")
        .select(["servers.state", "hostname", "paid_through", "grace_until"])
        .select("machines.state as machineState")
        .where("servers.id", "=", serverId)
        .executeTakeFirstOrThrow();

    test("the server is ACTIVE on its machine with addresses, and its paid term and grace start now", async () => {
      for (const [term, days] of [
        ["weekly", 7],
        ["monthly", 30],
      ] as const) {
        const { id } = await ordered({ term });
        testCore.clock.advance(dayMs);
        const delivered = valueOf(await provision(id, `${term}.Example.com`));
        const paidThrough = core.clock.now() + days * dayMs;
        const graceUntil = paidThrough + 5 * dayMs;
        assert.deepEqual(
          { ...(await look(id)) },
          {
            state: "ACTIVE",
            machineState: "ASSIGNED",
            hostname: `${term}.example.com`,
            paid_through: paidThrough,
            grace_until: graceUntil,
          },
        );
        assert.deepEqual(delivered, {
          serverId: id,
          hostname: `${term}.example.com`,
          paidThrough,
          graceUntil,
          addresses: delivered.addresses,
        });
        assert.match(delivered.addresses.join(" "), /^192\.0\.2\.\d+ 2001:db8:ffff:\S*:$/);
      }
    });

    test("without a hostname it gets one derived from its id", async () => {
      const { id } = await ordered();
      assert.equal(valueOf(await provision(id)).hostname, id.replace("_", "-"));
      assert.match((await look(id)).hostname ?? "", /^srv-[0-9a-z]{26}$/);
    });

    test("an invalid hostname is refused, and the server stays unchanged", async () => {
      const { id } = await ordered();
      const before = await look(id);
      const bad = [
        "",
        "-a",
        "a-",
        "a..b",
        "a.",
        "a_b",
        "a b",
        "ümlaut",
        "10.0.0.1",
        "7",
        "x".repeat(64),
      ];
      for (const hostname of [...bad, `${"a.".repeat(127)}ab`]) {
        assert.equal(codeOf(await provision(id, hostname)), "validation_failed", hostname);
      }
      assert.deepEqual(await look(id), before);
      assert.equal(codeOf(await provision(id, "Web-1")), "ok");
    });

    test("a server that is not PROVISIONING is a conflict, and an unknown one not_found", async () => {
      for (const state of ["ACTIVE", "GRACE", "SUSPENDED", "TERMINATED"] as const) {
        const { id } = await seedServer(core, accountId, { state, addressSets: 0 });
        const before = await look(id);
        assert.equal(codeOf(await provision(id)), "conflict", state);
        assert.deepEqual(await look(id), before);
      }
      assert.equal(codeOf(await provision("srv_unknown")), "not_found");
    });

    test("exactly one of many concurrent deliveries of a server succeeds", async () => {
      const other = await testCore.reopen();
      const { id } = await ordered();
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          provision(id, undefined, index % 2 === 0 ? core : other),
        ),
      );
      assert.equal(results.filter((result) => result.ok).length, 1);
      assert.equal(results.filter((result) => codeOf(result) === "conflict").length, 19);
      const living = core.db.read.selectFrom("assignments").select("address");
      assert.equal((await living.where("server_id", "=", id).execute()).length, 2);
    });

    test("a region without a free address is a conflict, and server and machine stay unchanged", async () => {
      await add("tiny", "10.1.0.0/30");
      const [first, second] = [
        await ordered({ regionId: "tiny" }),
        await ordered({ regionId: "tiny" }),
      ];
      const bare = await ordered({ regionId: "bare" });
      valueOf(await provision(first.id));
      for (const { id } of [second, bare]) {
        const before = await look(id);
        assert.equal(codeOf(await provision(id)), "conflict");
        assert.deepEqual(await look(id), before);
        assert.deepEqual([before.state, before.machineState], ["PROVISIONING", "RESERVED"]);
      }
    });

    test("servers of a region that are delivered concurrently all get their own addresses", async () => {
      const other = await testCore.reopen();
      const servers = await Promise.all(Array.from({ length: 30 }, () => ordered()));
      const results = await Promise.all(
        servers.map(({ id }, index) => provision(id, undefined, index % 2 === 0 ? core : other)),
      );
      const addresses = results.flatMap((result) => valueOf(result).addresses);
      assert.equal(new Set(addresses).size, 60);
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
