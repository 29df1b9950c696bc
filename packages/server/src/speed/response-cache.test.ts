import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operations, type OperationId } from "@ironlease/contract";
import { sql } from "kysely";
import { forEachEngine } from "#test/engines.ts";
import { order, startRental, type Rental } from "#test/rental-service.ts";
import { freshKey } from "#test/use-cases.ts";
import { ok } from "#kernel/result.ts";
import { DatabaseUnavailable, type Tx } from "#ports/db.ts";
import { refused, type Outcome } from "#http/answers/outcome.ts";
import type { AnyCall } from "#http/bind.ts";
import type { Respond, Route } from "#http/routes.ts";
import { responseCache } from "./response-cache.ts";

const sshKey = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA${"B".repeat(42)} laptop`;

forEachEngine((engine) => {
  describe("a cached list", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    /** Bypasses the service, as another instance would. */
    const elsewhere = (change: (tx: Tx) => Promise<unknown>) =>
      rental.core.db.write(async (tx) => {
        await change(tx);
        return ok();
      });

    /** Reads a list twice, makes the change and returns the changed list. */
    const readAround = async (
      read: () => Promise<{ text: string }>,
      change: () => Promise<unknown>,
    ) => {
      const { text: before } = await read();
      assert.equal((await read()).text, before);
      await change();
      const { text: after } = await read();
      assert.notEqual(after, before);
      return after;
    };

    test("shows a new order and every later change to its server", async () => {
      const ada = await rental.customer(1_000);
      const placeOrder = () =>
        ada.send("POST", "/api/v1/orders", {
          body: order,
          headers: { "idempotency-key": freshKey() },
        });
      const readServers = () => ada.send("GET", "/api/v1/servers");
      await readAround(() => ada.send("GET", "/api/v1/orders"), placeOrder);
      await readAround(readServers, placeOrder);
      const change = (values: { hostname: string } | { state: "TERMINATED" }) =>
        elsewhere((tx) =>
          tx.updateTable("servers").set(values).where("account_id", "=", ada.accountId).execute(),
        );
      assert.match(await readAround(readServers, () => change({ hostname: "web1" })), /"web1"/);
      assert.match(await readAround(readServers, () => change({ state: "TERMINATED" })), /\[\]/);
    });

    test("shows keys that are added, used and removed", async () => {
      const ada = await rental.customer(0);
      const readKeys = () => ada.send("GET", "/api/v1/api-keys");
      const body = { name: "books", scope: "billing" };
      await readAround(readKeys, () => ada.send("POST", "/api/v1/api-keys", { body }));
      await readAround(readKeys, () =>
        elsewhere((tx) =>
          tx
            .updateTable("api_keys")
            .set({ last_used_at: 1 })
            .where("account_id", "=", ada.accountId)
            .execute(),
        ),
      );
      await readAround(readKeys, () =>
        elsewhere((tx) =>
          tx.deleteFrom("api_keys").where("account_id", "=", ada.accountId).execute(),
        ),
      );
      const readSshKeys = () => ada.send("GET", "/api/v1/ssh-keys");
      await readAround(readSshKeys, () =>
        ada.send("POST", "/api/v1/ssh-keys", { body: { name: "laptop", publicKey: sshKey } }),
      );
      await readAround(readSshKeys, () =>
        elsewhere((tx) =>
          tx.deleteFrom("ssh_keys").where("account_id", "=", ada.accountId).execute(),
        ),
      );
    });

    test("shows a deposit and its confirmations", async () => {
      const ada = await rental.customer(0);
      await ada.send("POST", "/api/v1/deposit-addresses", {
        body: { asset: "BTC" },
        headers: { "idempotency-key": freshKey() },
      });
      const address = await rental.core.db.read
        .selectFrom("deposit_addresses")
        .select(["id"])
        .where("account_id", "=", ada.accountId)
        .executeTakeFirstOrThrow();
      const read = () => ada.send("GET", "/api/v1/deposits");
      await readAround(read, () =>
        elsewhere((tx) =>
          tx
            .insertInto("deposits")
            .values({
              id: "dep_1",
              account_id: ada.accountId,
              address_id: address.id,
              asset: "BTC",
              network: "bitcoin",
              mode: "SIMULATED",
              address: "tb1qsomewhere",
              transaction_id: "t1",
              output_index: 0,
              amount_units: "1000",
              amount_decimals: 8,
              confirmations: 0,
              confirmations_required: 2,
              credited_confirmations: null,
              state: "CONFIRMING",
              deferred_until: null,
              seen_at: 1,
              credited_at: null,
              usd_cents: null,
              rate: null,
              rate_at: null,
            })
            .execute(),
        ),
      );
      const confirmed = await readAround(read, () =>
        elsewhere((tx) =>
          tx
            .updateTable("deposits")
            .set({ confirmations: 1 })
            .where("account_id", "=", ada.accountId)
            .execute(),
        ),
      );
      assert.match(confirmed, /"confirmations":1/);
    });

    test("is never shown to another account", async () => {
      const [ada, bob] = [await rental.customer(100), await rental.customer(100)];
      await ada.send("POST", "/api/v1/orders", {
        body: order,
        headers: { "idempotency-key": freshKey() },
      });
      const lengths = [];
      for (const customer of [ada, bob, ada, bob]) {
        lengths.push((await customer.send("GET", "/api/v1/servers")).json.servers.length);
      }
      assert.deepEqual(lengths, [1, 0, 1, 0]);
    });
  });
});

describe("a cached list", () => {
  let rental: Rental;
  before(async () => {
    rental = await startRental("postgres");
  });
  after(() => rental.close());

  test("is read again after a failover, even if the count of changes is the same", async () => {
    const { db } = rental.core;
    const ada = await rental.customer(1_000);
    const headers = { "idempotency-key": freshKey() };
    await ada.send("POST", "/api/v1/orders", { body: order, headers });
    const readServers = () => ada.send("GET", "/api/v1/servers");
    assert.equal((await readServers()).json.servers[0].hostname, null);

    // The standby that took over has lost one change and recorded another.
    await db.write(async (tx) => {
      const [hostname, accountId] = ["web1", ada.accountId];
      await tx
        .updateTable("servers")
        .set({ hostname })
        .where("account_id", "=", accountId)
        .execute();
      await tx
        .updateTable("balances")
        .set({ list_changes: sql`list_changes - 1` })
        .where("account_id", "=", accountId)
        .execute();
      return ok();
    });
    const everyConnection = sql`select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity where datname = current_database()
      order by pid = pg_backend_pid()) as own_last`;
    await assert.rejects(everyConnection.execute(db.read), DatabaseUnavailable);
    let answer = await readServers();
    for (let tries = 1; answer.status === 503 && tries < 20; tries += 1)
      answer = await readServers();
    assert.equal(answer.json.servers[0].hostname, "web1");
  });
});

describe("the response cache", () => {
  const routeOf = (id: string, respond: Respond): Route => {
    const operation = operations[id as OperationId];
    const { method, path } = operation;
    const checkBody = () => [];
    return {
      kind: "operation",
      id,
      method,
      path,
      operation,
      checkBody,
      checkQuery: undefined,
      respond,
    };
  };
  const answer: Outcome = { kind: "answer", status: 200, text: "{}", headers: [] };
  const callOf = (accountId: string, listsVersion: string): AnyCall => ({
    ...({} as AnyCall),
    account: { accountId, username: "ada", listsVersion },
  });

  test("calls the handler once per account and version", async () => {
    let calls = 0;
    const respond = async () => {
      calls += 1;
      return { ...answer };
    };
    const route = responseCache(routeOf("listOrders", respond));
    const first = await route.respond(callOf("acc_1", "0/1"));
    assert.equal(await route.respond(callOf("acc_1", "0/1")), first);
    assert.equal(calls, 1);
    assert.notEqual(await route.respond(callOf("acc_1", "0/2")), first);
    assert.notEqual(await route.respond(callOf("acc_2", "0/2")), first);
    assert.equal(calls, 3);
  });

  test("does not cache a refusal", async () => {
    const outcomes: Outcome[] = [refused({ code: "not_found" }), answer];
    const route = responseCache(routeOf("listOrders", async () => outcomes.shift() ?? answer));
    assert.equal((await route.respond(callOf("acc_1", "0/1"))).kind, "refusal");
    assert.equal((await route.respond(callOf("acc_1", "0/1"))).kind, "answer");
  });

  test("caches only reads without parameters", async () => {
    const routes = Object.keys(operations).map((id) => routeOf(id, async () => ({ ...answer })));
    const cached = routes.map(responseCache).filter((route) => !routes.includes(route));
    assert.ok(cached.length > 0);
    for (const { id, method, path, operation, respond } of cached) {
      assert.deepEqual([method, path.includes("{")], ["GET", false], id);
      if (operation.query === undefined) continue;
      const page = { ...callOf("acc_1", "0/1"), query: { limit: "1" } };
      assert.notEqual(await respond(page), await respond(page), id);
    }
  });
});
