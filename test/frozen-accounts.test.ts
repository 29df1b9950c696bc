import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { accountOperations, isChange, type Operation } from "@ironlease/contract";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import type { SignedInOperator } from "#test/operators.ts";
import { seedServer } from "#test/rental.ts";
import { order, startRental, type Rental, type RentalCustomer } from "#test/rental-service.ts";
import { customerOf, password } from "#test/service.ts";

const sessionOperations = Object.entries<Operation>(accountOperations).filter(
  ([, { access }]) => access.kind === "session",
);

/** The changes that a frozen account may make: all of them end access or change its password. */
const allowedWhileFrozen = [
  "signOut",
  "changePassword",
  "revokeSession",
  "revokeApiKey",
  "removePasskey",
  "openThread",
  "sendMessage",
  "markThreadRead",
];

forEachEngine((engine) => {
  describe("a frozen account", () => {
    let rental: Rental;
    let admin: SignedInOperator;
    let ada: RentalCustomer;
    before(async () => {
      rental = await startRental(engine);
      admin = await rental.operator("admin");
      ada = await rental.customer(500);
    });
    after(() => rental.close());

    const set = (what: "freeze" | "unfreeze", { accountId }: RentalCustomer, by = admin) =>
      by.send("POST", `/operator/v1/accounts/${accountId}/${what}`, { body: { reason: "fraud" } });
    const placeOrder = (customer: RentalCustomer, key: string) =>
      customer.send("POST", "/api/v1/orders", { body: order, headers: { "idempotency-key": key } });
    const call = (customer: RentalCustomer, { method, path, body }: Operation) =>
      customer.send(method, path.replaceAll(/\{[^}]+\}/g, "srv_00000000000000000000000000"), {
        headers: { "idempotency-key": "frozen-key" },
        // An invalid body, so that an admitted request fails on its fields and changes nothing.
        ...(body === undefined ? {} : { body: { unknown: 1 } }),
      });

    test("freezing returns the account, and freezing again changes nothing", async () => {
      for (let twice = 0; twice < 2; twice += 1) {
        const { status, json } = await set("freeze", ada);
        assert.deepEqual([status, json.id, json.frozen], [200, ada.accountId, true]);
      }
      const inspected = await admin.send("GET", `/operator/v1/accounts/${ada.accountId}`);
      assert.equal(inspected.json.frozen, true);
      assert.equal(typeof inspected.json.frozenAt, "string");
      assert.equal(inspected.json.frozenReason, "fraud");
      const freezes = inspected.json.audit.filter(
        ({ action }: { action: string }) => action === "account.freeze",
      );
      assert.deepEqual(
        freezes.map(({ actorName, detail }: Record<string, unknown>) => [actorName, detail]),
        [[admin.username, { reason: "fraud" }]],
      );
    });

    test("GET /me shows the reason and time of the freeze only while the account is frozen", async () => {
      const eve = await rental.customer(0);
      const me = async () => (await eve.send("GET", "/api/v1/me")).json;
      assert.equal("frozen" in (await me()), false);
      const since = new Date(rental.clock.now()).toISOString();
      await set("freeze", eve);
      assert.deepEqual((await me()).frozen, { reason: "fraud", since });
      await set("unfreeze", eve);
      assert.equal("frozen" in (await me()), false);
    });

    test("it can sign in and read everything", async () => {
      const answer = await rental.send("POST", "/api/v1/auth/login", {
        body: { username: ada.username, password },
      });
      assert.equal(answer.status, 200);
      const again = customerOf(rental.send, answer, ada.username);
      for (const [id, { method, path }] of sessionOperations) {
        if (method !== "GET" || path.includes("{")) continue;
        assert.equal((await again.send("GET", path)).status, 200, id);
      }
      const server = await seedServer(rental.core, ada.accountId);
      assert.equal((await again.send("GET", `/api/v1/servers/${server.id}`)).status, 200);
    });

    for (const [id, operation] of sessionOperations) {
      if (!isChange(operation)) continue;
      const isAllowed = operation.frozen === "allowed";
      test(`${id} is ${isAllowed ? "still admitted" : "403 account_frozen, even with an invalid body"}`, async () => {
        const bob = await rental.customer(0);
        assert.equal((await set("freeze", bob)).status, 200);
        const answer = await call(bob, operation);
        if (isAllowed) assert.notEqual(codeOf(answer), "account_frozen");
        else assert.deepEqual([answer.status, codeOf(answer)], [403, "account_frozen"]);
        assert.equal(isAllowed, allowedWhileFrozen.includes(id));
      });
    }

    test("it can write to the operators, who see it in their inbox", async () => {
      const bob = await rental.customer(0);
      await set("freeze", bob);
      const headers = { "idempotency-key": "please-unfreeze" };
      const body = { subject: "Frozen", text: "Which papers do you need?" };
      const opened = await bob.send("POST", "/api/v1/threads", { body, headers });
      assert.equal(opened.status, 201);
      const { threads } = (await admin.send("GET", "/operator/v1/threads?unread=true")).json;
      assert.deepEqual(
        threads.map(({ id, username }: { id: string; username: string }) => [id, username]),
        [[opened.json.id, bob.username]],
      );
      const close = await bob.send("POST", `/api/v1/threads/${opened.json.id}/close`);
      assert.equal(codeOf(close), "account_frozen");
    });

    test("a refused order changes nothing, and succeeds with the same key after unfreezing", async () => {
      const refused = await placeOrder(ada, "order-while-frozen");
      assert.deepEqual([refused.status, codeOf(refused)], [403, "account_frozen"]);
      assert.equal((await ada.send("GET", "/api/v1/me")).json.balanceUsd, 500);
      assert.deepEqual((await ada.send("GET", "/api/v1/orders")).json.orders.length, 1);
      const { json } = await set("unfreeze", ada);
      assert.equal(json.frozen, false);
      const placed = await placeOrder(ada, "order-while-frozen");
      assert.equal(placed.status, 201);
      assert.equal(placed.headers["idempotent-replayed"], undefined);
    });

    test("servers ordered before the freeze are delivered", async () => {
      const bob = await rental.customer(100);
      const { json } = await placeOrder(bob, "ordered-before-the-freeze");
      await set("freeze", bob);
      const { work } = (await admin.send("GET", "/operator/v1/work?kind=PROVISION")).json;
      const item = work.find((one: { orderId: string }) => one.orderId === json.id);
      assert.equal(item.state, "OPEN");
      await admin.send("POST", "/operator/v1/subnets", {
        body: { regionId: "fra", cidr: "198.51.100.0/24" },
      });
      assert.equal((await admin.send("POST", `/operator/v1/work/${item.id}/claim`)).status, 200);
      const path = `/operator/v1/work/${item.id}/complete`;
      assert.equal((await admin.send("POST", path, { body: {} })).status, 200);
      const [server] = (await bob.send("GET", "/api/v1/servers")).json.servers;
      assert.equal(server.state, "ACTIVE");
    });

    test("freezing needs the admin role, an existing account and a reason", async () => {
      const finance = await rental.operator("finance");
      assert.equal(codeOf(await set("freeze", ada, finance)), "role_forbidden");
      assert.equal((await set("freeze", { ...ada, accountId: "acc_nobody" })).status, 404);
      const noReason = await admin.send("POST", `/operator/v1/accounts/${ada.accountId}/freeze`, {
        body: {},
      });
      assert.equal(noReason.json.error.fields[0].field, "reason");
    });

    test("every invariant holds afterwards", () => rental.assertInvariants());
  });
});
