import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { seedServer } from "#test/rental.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "./result.ts";
import { assignAddresses, releaseAddresses } from "./addresses.ts";
import type { Core } from "./core.ts";
import { addSubnet } from "./subnets.ts";

const codeOf = (result: Result<unknown>) => (result.ok ? "ok" : result.refusal.code);
const messageOf = (result: Result<unknown>) => (result.ok ? "" : (result.refusal.message ?? ""));
const valueOf = <T>(result: Result<T>): T =>
  result.ok ? result.value : assert.fail(`${result.refusal.code} ${result.refusal.message}`);

forEachEngine((engine) => {
  describe("addresses", () => {
    let testCore: TestCore;
    let core: Core;
    let accountId: string;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      ({ accountId } = await register(core));
    });
    after(() => testCore.dispose());

    const add = async (regionId: string, ...cidrs: readonly string[]) => {
      for (const cidr of cidrs) {
        valueOf(await core.db.write((tx) => addSubnet({ tx, core }, { regionId, cidr })));
      }
    };
    const newServer = async () => (await seedServer(core, accountId, { state: "PROVISIONING" })).id;
    const assign = async (regionId: string, on = core, serverId?: string) => {
      const recipient = { accountId, serverId: serverId ?? (await newServer()), regionId };
      return on.db.write((tx) => assignAddresses({ tx, core: on }, recipient));
    };
    const release = (serverId: string, on = core) =>
      on.db.write(async (tx) => ok(await releaseAddresses({ tx, core: on }, serverId)));

    test("a server gets one IPv4 address and one IPv6 /64, in order, after network and gateway", async () => {
      await add("order", "192.0.2.0/25", "2001:db8:1::/48");
      const serverId = await newServer();
      assert.deepEqual(valueOf(await assign("order", core, serverId)), [
        "192.0.2.2",
        "2001:db8:1::",
      ]);
      assert.deepEqual(valueOf(await assign("order")), ["192.0.2.3", "2001:db8:1:1::"]);
      const rows = await core.db.read
        .selectFrom("assignments")
        .select(["account_id", "address", "prefix_length", "family", "ptr", "released_at"])
        .where("server_id", "=", serverId)
        .orderBy("family")
        .execute();
      const common = { account_id: accountId, ptr: "", released_at: null };
      // SQLite rows have no prototype, so they never equal a plain object.
      const found = rows.map((row) => ({ ...row }));
      assert.deepEqual(found, [
        { ...common, address: "192.0.2.2", prefix_length: 32, family: 4 },
        { ...common, address: "2001:db8:1::", prefix_length: 64, family: 6 },
      ]);
    });

    test("without IPv6 subnets a server gets IPv4 only, and without IPv4 subnets IPv6 only", async () => {
      await add("four", "10.4.0.0/24");
      await add("six", "2001:db8:6::/64");
      assert.deepEqual(valueOf(await assign("four")), ["10.4.0.2"]);
      assert.deepEqual(valueOf(await assign("six")), ["2001:db8:6::"]);
    });

    test("a region without subnets is a conflict that says what to do", async () => {
      const result = await assign("bare");
      assert.equal(codeOf(result), "conflict");
      assert.match(messageOf(result), /region bare has no subnet.*Add one/);
    });

    test("a family without free places is a conflict, and no address of the other family is taken", async () => {
      await add(
        "narrow",
        "10.9.0.0/30",
        "2001:db8:9::/64",
        "2001:db8:9:1::/64",
        "2001:db8:9:2::/64",
      );
      assert.deepEqual(valueOf(await assign("narrow")), ["10.9.0.2", "2001:db8:9::"]);
      const result = await assign("narrow");
      assert.equal(codeOf(result), "conflict");
      assert.match(messageOf(result), /All IPv4 addresses of the region narrow are in use/);
      await add("narrow", "10.9.0.8/29");
      assert.deepEqual(valueOf(await assign("narrow")), ["10.9.0.10", "2001:db8:9:1::"]);
      assert.deepEqual(valueOf(await assign("narrow")), ["10.9.0.11", "2001:db8:9:2::"]);
      const last = await assign("narrow");
      assert.match(messageOf(last), /All IPv6 addresses of the region narrow are in use/);
    });

    test("a subnet assigns all its places except the broadcast address", async () => {
      await add("eight", "10.8.0.0/29");
      const given: string[] = [];
      for (let result = await assign("eight"); result.ok; result = await assign("eight")) {
        given.push(...result.value);
      }
      assert.deepEqual(
        given,
        [2, 3, 4, 5, 6].map((host) => `10.8.0.${host}`),
      );
    });

    test("released addresses are assigned again, lowest first, before unused ones", async () => {
      await add("again", "10.7.1.0/24", "10.7.0.0/24", "2001:db8:7::/48");
      const servers: string[] = [];
      for (let n = 0; n < 12; n += 1) {
        servers.push(await newServer());
        valueOf(await assign("again", core, servers[n]));
      }
      for (const n of [11, 2, 8]) await release(servers[n]!);
      const addresses = [];
      for (let n = 0; n < 4; n += 1) addresses.push(valueOf(await assign("again")));
      assert.deepEqual(addresses, [
        ["10.7.0.4", "2001:db8:7:2::"],
        ["10.7.0.10", "2001:db8:7:8::"],
        ["10.7.0.13", "2001:db8:7:b::"],
        ["10.7.0.14", "2001:db8:7:c::"],
      ]);
    });

    test("releasing twice, or a server without addresses, changes nothing", async () => {
      await add("twice", "10.6.0.0/24");
      const serverId = await newServer();
      valueOf(await assign("twice", core, serverId));
      await Promise.all([release(serverId), release(serverId)]);
      await release(serverId);
      await release("srv_nobody");
      assert.deepEqual(valueOf(await assign("twice")), ["10.6.0.2"]);
      assert.deepEqual(valueOf(await assign("twice")), ["10.6.0.3"]);
    });

    test("many concurrent servers over two connections never share an address", async () => {
      await add("busy", "10.5.0.0/28", "10.5.1.0/27", "2001:db8:5::/58");
      const other = await testCore.reopen();
      const servers = await Promise.all(Array.from({ length: 60 }, newServer));
      const results = await Promise.all(
        servers.map((id, index) => assign("busy", index % 2 === 0 ? core : other, id)),
      );
      // 13 places in the first subnet and 29 in the second.
      const given = results.flatMap((result) => (result.ok ? result.value : []));
      assert.equal(given.length, 2 * 42);
      assert.equal(new Set(given).size, given.length);
      assert.equal(results.filter((result) => codeOf(result) === "conflict").length, 18);
    });

    test("servers that come and go concurrently leave each address with at most one server", async () => {
      await add("churn", "10.3.0.0/28", "2001:db8:3::/60");
      const other = await testCore.reopen();
      const live = async (on: Core) => {
        const serverId = await newServer();
        for (let round = 0; round < 4; round += 1) {
          const given = await assign("churn", on, serverId);
          if (given.ok) await release(serverId, on);
          else assert.equal(codeOf(given), "conflict");
        }
        return assign("churn", on, serverId);
      };
      const ends = await Promise.all(
        Array.from({ length: 20 }, (_, index) => live(index % 2 === 0 ? core : other)),
      );
      const given = ends.flatMap((result) => (result.ok ? result.value : []));
      assert.equal(new Set(given).size, given.length);
      const { count } = await core.db.read
        .selectFrom("assignments")
        .innerJoin("subnets", "subnets.id", "assignments.subnet_id")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("subnets.region_id", "=", "churn")
        .where("released_at", "is", null)
        .executeTakeFirstOrThrow();
      assert.equal(count, given.length);
    });
  });
});
