import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer } from "#test/https-client.ts";
import {
  bodyWithoutRequestId,
  notOffered,
  order,
  scarce,
  startRental,
  type Rental,
} from "#test/rental-service.ts";

const path = "/api/v1/orders";
let keys = 0;
const newKey = () => `order-key-${(keys += 1)}`;

forEachEngine((engine) => {
  describe("orders", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    const place = (
      customer: { send: Rental["send"] },
      body: object = {},
      key = newKey(),
    ): Promise<Answer> =>
      customer.send("POST", path, {
        body: { ...order, ...body },
        headers: { "idempotency-key": key },
      });

    test("201 ACCEPTED has the total and one server per machine", async () => {
      const ada = await rental.customer(500);
      const { status, json } = await place(ada, { quantity: 3 });
      assert.equal(status, 201, JSON.stringify(json));
      assert.deepEqual(Object.keys(json), ["id", "status", "totalUsd", "serverIds"]);
      assert.match(json.id, /^ord_/);
      assert.equal(json.status, "ACCEPTED");
      assert.equal(json.serverIds.length, 3);
      const me = await ada.send("GET", "/api/v1/me");
      assert.equal(me.json.balanceUsd, (50_000 - Math.round(json.totalUsd * 100)) / 100);
      const { json: listed } = await ada.send("GET", path);
      assert.deepEqual(listed.orders[0].serverIds, json.serverIds);
      assert.equal(listed.orders[0].status, "ACCEPTED");
      const { json: servers } = await ada.send("GET", "/api/v1/servers");
      assert.equal(servers.servers.length, 3);
      for (const server of servers.servers) {
        assert.equal(server.state, "PROVISIONING");
        assert.equal(server.paidThrough, null);
        assert.equal(server.autoRenew, true);
      }
      const cents = servers.servers.map((server: { priceUsd: number }) =>
        Math.round(server.priceUsd * 100),
      );
      assert.equal(
        cents.reduce((sum: number, part: number) => sum + part, 0),
        Math.round(json.totalUsd * 100),
      );
    });

    test("an order costs the catalogue price, which equals the quote", async () => {
      const ada = await rental.customer(2_000);
      for (const quantity of [1, 2, 5, 10]) {
        const { configId, regionId, osId, term } = order;
        const query = new URLSearchParams({
          configId,
          regionId,
          osId,
          term,
          quantity: String(quantity),
        });
        const { json: quote } = await rental.send("GET", `/api/v1/quote?${query}`);
        const { json } = await place(ada, { quantity });
        assert.equal(json.totalUsd, quote.totalUsd);
      }
    });

    test("the same key and request return the first answer, marked as a replay", async () => {
      const ada = await rental.customer(100);
      const key = newKey();
      const first = await place(ada, {}, key);
      const again = await place(ada, {}, key);
      assert.equal(first.headers["idempotent-replayed"], undefined);
      assert.equal(again.headers["idempotent-replayed"], "true");
      assert.equal(again.status, 201);
      assert.equal(again.text, first.text);
      assert.equal((await ada.send("GET", path)).json.orders.length, 1);
    });

    test("requests that differ only in field order or white space around an SSH key are equal", async () => {
      const ada = await rental.customer(100);
      const key = newKey();
      const sshPublicKey =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ada";
      const first = await place(ada, { sshPublicKey }, key);
      const turned = Object.fromEntries(
        Object.entries({ ...order, sshPublicKey: ` ${sshPublicKey}\n` }).toReversed(),
      );
      const again = await ada.send("POST", path, {
        body: turned,
        headers: { "idempotency-key": key },
      });
      assert.equal(again.text, first.text);
    });

    test("the same key with changed details is 409 idempotency_conflict", async () => {
      const ada = await rental.customer(500);
      const key = newKey();
      await place(ada, {}, key);
      for (const change of [{ quantity: 2 }, { term: "weekly" }, { osId: "ubuntu-24.04" }]) {
        assert.equal(
          codeOf(await place(ada, change, key)),
          "idempotency_conflict",
          JSON.stringify(change),
        );
      }
    });

    test("two accounts may use the same key independently", async () => {
      const [ada, eve] = [await rental.customer(100), await rental.customer(100)];
      const key = newKey();
      const [first, second] = [await place(ada, {}, key), await place(eve, {}, key)];
      assert.equal(second.status, 201);
      assert.notEqual(second.json.id, first.json.id);
    });

    test("a replay works even when the balance is empty", async () => {
      const ada = await rental.customer(0);
      const price = await rental.priceOf(order);
      await rental.credit(ada, price);
      const key = newKey();
      const first = await place(ada, {}, key);
      assert.equal(first.status, 201);
      assert.equal((await ada.send("GET", "/api/v1/me")).json.balanceUsd, 0);
      assert.equal((await place(ada, {}, key)).text, first.text);
    });

    test("409 insufficient_balance leaves no order, the balance unchanged and the key unused", async () => {
      const ada = await rental.customer(1);
      const key = newKey();
      const refused = await place(ada, {}, key);
      assert.equal(codeOf(refused), "insufficient_balance");
      const needs = ((await rental.priceOf(order)) / 100).toFixed(2);
      assert.equal(
        refused.json.error.message,
        `Insufficient balance. You have $1.00; this needs $${needs}.`,
      );
      assert.deepEqual((await ada.send("GET", path)).json, { orders: [] });
      assert.equal((await ada.send("GET", "/api/v1/me")).json.balanceUsd, 1);
      assert.equal((await ada.send("GET", "/api/v1/ledger")).json.entries.length, 1);
      await rental.credit(ada, 50_000);
      assert.equal((await place(ada, {}, key)).status, 201);
    });

    test("409 capacity_exhausted leaves no order, the balance unchanged and no machine reserved", async () => {
      const ada = await rental.customer(5_000);
      const answer = await place(ada, { ...scarce, quantity: 4 });
      assert.equal(codeOf(answer), "capacity_exhausted");
      assert.equal((await ada.send("GET", "/api/v1/me")).json.balanceUsd, 5_000);
      assert.equal((await place(ada, { ...scarce, quantity: 3 })).status, 201);
    });

    test("409 insufficient_balance takes precedence over capacity_exhausted", async () => {
      const poor = await rental.customer(1);
      assert.equal(codeOf(await place(poor, { ...scarce, quantity: 20 })), "insufficient_balance");
    });

    const unknown: [object, string][] = [
      [{ configId: "no-such" }, "configId"],
      [{ regionId: "no-such" }, "regionId"],
      [{ osId: "no-such" }, "osId"],
    ];
    test("400 names the field for a choice that is not in the catalogue and a region without the offer", async () => {
      const ada = await rental.customer(500);
      for (const [body, field] of [...unknown, [notOffered, "regionId"] as [object, string]]) {
        const answer = await place(ada, body);
        assert.equal(codeOf(answer), "validation_failed", answer.text);
        assert.deepEqual(
          answer.json.error.fields.map((entry: { field: string }) => entry.field),
          [field],
        );
      }
    });

    test("400 names an invalid field, and a price in the request is an unknown field", async () => {
      const ada = await rental.customer(500);
      const bad: [object, string][] = [
        [{ quantity: 0 }, "quantity"],
        [{ quantity: 21 }, "quantity"],
        [{ quantity: 1.5 }, "quantity"],
        [{ quantity: "1" }, "quantity"],
        [{ term: "yearly" }, "term"],
        [{ price: 1 }, "price"],
        [{ sshPublicKey: "-----BEGIN OPENSSH PRIVATE KEY-----" }, "sshPublicKey"],
        [{ sshPublicKey: null }, "sshPublicKey"],
      ];
      for (const [body, field] of bad) {
        const answer = await place(ada, body);
        assert.equal(codeOf(answer), "validation_failed", JSON.stringify(body));
        assert.equal(answer.json.error.fields[0].field, field);
      }
    });

    test("a missing, short, long or malformed key is 400 before the fields are checked", async () => {
      const ada = await rental.customer(500);
      const send = (headers: Record<string, string>) =>
        ada.send("POST", path, { body: { nonsense: true }, headers });
      assert.equal(codeOf(await send({})), "idempotency_key_required");
      for (const key of ["short", "x".repeat(101), "with space", "ümlauts-", ""]) {
        const answer = await send({ "idempotency-key": encodeURI(key) });
        assert.equal(codeOf(answer), "idempotency_key_invalid", key);
      }
    });

    test("when cents do not divide evenly, the first servers cost one cent more", async () => {
      const ada = await rental.customer(5_000);
      const { json } = await place(ada, { quantity: 7 });
      const { json: listed } = await ada.send("GET", "/api/v1/servers");
      const byId = new Map<string, number>(
        listed.servers.map((server: { id: string; priceUsd: number }) => [
          server.id,
          Math.round(server.priceUsd * 100),
        ]),
      );
      const shares = json.serverIds.map((id: string) => byId.get(id));
      assert.deepEqual(
        shares,
        shares.toSorted((a: number, b: number) => b - a),
      );
      assert.ok(shares[0] - shares[6] <= 1);
    });

    test("another account's order is not visible", async () => {
      const [ada, eve] = [await rental.customer(500), await rental.customer(500)];
      const { json } = await place(ada);
      assert.deepEqual((await eve.send("GET", path)).json, { orders: [] });
      const foreign = await eve.send("GET", `/api/v1/servers/${json.serverIds[0]}`);
      const missing = await eve.send("GET", "/api/v1/servers/srv_01hzzzzzzzzzzzzzzzzzzzzzzz");
      assert.equal(foreign.status, 404);
      assert.deepEqual(bodyWithoutRequestId(foreign), bodyWithoutRequestId(missing));
    });

    test("every invariant holds afterwards", () => rental.assertInvariants());
  });
});
