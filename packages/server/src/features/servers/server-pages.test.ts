import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { assertInvariantsHold, endServer, seedServer } from "#test/rental.ts";
import { startTestService, type Customer, type TestService } from "#test/service.ts";

forEachEngine((engine) => {
  describe("pages of servers over HTTP", () => {
    let service: TestService;
    let ada: Customer;
    let accountId: string;
    /** Oldest first. */
    let ids: readonly string[];
    before(async () => {
      service = await startTestService(engine);
      ada = await service.register();
      accountId = await accountIdOf(ada);
      const { core } = service;
      const seeds = [
        { regionId: "sin", term: "weekly" },
        { state: "PROVISIONING" },
        { state: "GRACE" },
        { regionId: "sin" },
        { state: "SUSPENDED" },
      ] as const;
      const seeded: string[] = [];
      for (const seed of seeds) seeded.push((await seedServer(core, accountId, seed)).id);
      ids = seeded;
      await endServer(core, accountId, await seedServer(core, accountId));
      const eve = await service.register();
      await seedServer(core, await accountIdOf(eve), { regionId: "sin" });
      for (const [index, label] of ["Shop 100%", "b_web", "", "A shop"].entries()) {
        await ada.send("PUT", `/api/v1/servers/${ids[index]}/label`, { body: { label } });
      }
    });
    after(() => service.close());

    const accountIdOf = async ({ username }: Customer) => {
      const { id } = await service.core.db.read
        .selectFrom("accounts")
        .select("id")
        .where("username", "=", username)
        .executeTakeFirstOrThrow();
      return id;
    };
    const list = async (query: Readonly<Record<string, string>>) => {
      const answer = await ada.send("GET", `/api/v1/servers?${new URLSearchParams(query)}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json.servers;
    };
    const indexes = async (query: Readonly<Record<string, string>>): Promise<number[]> =>
      (await list(query)).map(({ id }: { readonly id: string }) => ids.indexOf(id));

    test("pages have no gaps or repeats in every order, also past a server that has ended", async () => {
      const orders = { createdAt: [4, 3, 2, 1, 0], paidThrough: [2, 0, 3, 4, 1] };
      for (const [sort, expected] of Object.entries(orders)) {
        const found: number[] = [];
        for (let after = ""; found.length < expected.length; after = ids[found.at(-1)!]!) {
          const page = await indexes({ limit: "2", sort, ...(after !== "" && { after }) });
          assert.ok(page.length > 0, `${sort} ends after ${found.join(" ")}`);
          found.push(...page);
        }
        assert.deepEqual(found, expected, sort);
      }
      const names = await indexes({ sort: "name" });
      assert.deepEqual(names.slice(0, 2), [3, 1], "A shop, b_web");
      assert.deepEqual(await indexes({ sort: "name", after: ids[names[3]!]! }), names.slice(4));
      const [{ id: ended }] = (await ada.send("GET", "/api/v1/past-servers")).json.pastServers;
      assert.deepEqual(await indexes({ limit: "2", after: ended }), [4, 3]);
    });

    test("the state, the region and part of a label, host name or address filter the list", async () => {
      assert.deepEqual(await indexes({ state: "GRACE" }), [2]);
      assert.deepEqual(await indexes({ regionId: "sin" }), [3, 0]);
      assert.deepEqual(await indexes({ regionId: "sin", state: "GRACE" }), []);
      assert.deepEqual(await indexes({ query: "SHOP" }), [3, 0]);
      assert.deepEqual(await indexes({ query: "0%" }), [0], "% is no wildcard");
      assert.deepEqual(await indexes({ query: "b_w" }), [1]);
      assert.deepEqual(await indexes({ query: "b-w" }), [], "_ is no wildcard");
      assert.deepEqual(await indexes({ query: ids[1]! }), [1]);
      const { hostname } = (await list({ state: "SUSPENDED" }))[0];
      assert.deepEqual(await indexes({ query: hostname.slice(5, 35).toUpperCase() }), [4]);
      const [{ assignments }] = await list({ state: "GRACE", include: "assignments" });
      for (const { address } of assignments) {
        assert.deepEqual(await indexes({ query: address.toUpperCase() }), [2], address);
      }
    });

    test("include=assignments adds each server's own addresses, and nothing else differs", async () => {
      const { json: network } = await ada.send("GET", "/api/v1/network");
      const plain = await list({ limit: "100" });
      assert.deepEqual(plain, (await ada.send("GET", "/api/v1/servers")).json.servers);
      const withAddresses = await list({ include: "assignments" });
      assert.deepEqual(
        withAddresses,
        plain.map((server: { readonly id: string }) => ({
          ...server,
          assignments: network.assignments.filter(
            ({ serverId }: { readonly serverId: string }) => serverId === server.id,
          ),
        })),
      );
      assert.deepEqual(await list({ query: "none", include: "assignments" }), []);
    });

    test("another account's servers are neither listed nor a place to continue after", async () => {
      const eve = await service.register();
      await seedServer(service.core, await accountIdOf(eve));
      const path = `/api/v1/servers?after=${ids[4]}`;
      assert.deepEqual((await eve.send("GET", path)).json.servers, []);
      assert.deepEqual((await eve.send("GET", `/api/v1/servers?query=${ids[0]}`)).json.servers, []);
    });

    test("a server names its own thread once there is one, but not to an API key", async () => {
      const detail = async (index: number) =>
        (await ada.send("GET", `/api/v1/servers/${ids[index]}`)).json;
      assert.equal((await detail(0)).thread, null);
      const body = { subject: "Disk", text: "Please check it.", serverId: ids[0] };
      const headers = { "Idempotency-Key": randomUUID() };
      const { json: thread } = await ada.send("POST", "/api/v1/threads", { body, headers });
      assert.deepEqual((await detail(0)).thread, { id: thread.id, unread: 0 });
      assert.equal((await detail(1)).thread, null);
      const created = await ada.send("POST", "/api/v1/api-keys", {
        body: { name: "monitoring", scope: "read" },
      });
      const authorization = `Bearer ${created.json.key}`;
      const read = await service.send("GET", `/api/v1/servers/${ids[0]}`, {
        headers: { authorization },
      });
      assert.equal(read.status, 200);
      assert.equal(read.json.thread, null);
    });

    test("an invalid parameter is 400 and names the field", async () => {
      for (const query of ["limit=0", "limit=101", "state=TERMINATED", "sort=price", "page=2"]) {
        const answer = await ada.send("GET", `/api/v1/servers?${query}`);
        assert.equal(codeOf(answer), "validation_failed", query);
        assert.equal(answer.json.error.fields[0].field, query.split("=")[0]);
      }
    });

    test("terminated servers are listed with the time they ended, latest first", async () => {
      const cleo = await service.register();
      const cleosId = await accountIdOf(cleo);
      const first = await seedServer(service.core, cleosId);
      const second = await seedServer(service.core, cleosId);
      await endServer(service.core, cleosId, second);
      service.clock.advance(1_000);
      await endServer(service.core, cleosId, first);
      const { json } = await cleo.send("GET", "/api/v1/past-servers");
      const now = service.clock.now();
      assert.deepEqual(
        json.pastServers.map(({ id, state, endedAt }: Record<string, string>) => [
          id,
          state,
          endedAt,
        ]),
        [
          [first.id, "TERMINATED", new Date(now).toISOString()],
          [second.id, "TERMINATED", new Date(now - 1_000).toISOString()],
        ],
      );
      assert.deepEqual((await cleo.send("GET", "/api/v1/servers")).json.servers, []);
      assert.deepEqual((await cleo.send("GET", "/api/v1/server-counts")).json.serverCounts, []);
    });

    test("counts group the current servers by state and region", async () => {
      const { json } = await ada.send("GET", "/api/v1/server-counts");
      assert.deepEqual(json.serverCounts, [
        { state: "ACTIVE", region: "sin", servers: 2 },
        { state: "GRACE", region: "fra", servers: 1 },
        { state: "PROVISIONING", region: "fra", servers: 1 },
        { state: "SUSPENDED", region: "fra", servers: 1 },
      ]);
      await assertInvariantsHold(service.core.db);
    });
  });
});
