import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer } from "#test/https-client.ts";
import type { SignedInOperator } from "#test/operators.ts";
import { seedServer } from "#test/rental.ts";
import { order, startRental, type Rental, type RentalCustomer } from "#test/rental-service.ts";

const accounts = "/operator/v1/accounts";
const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

const fieldsOf = (answer: Answer): readonly string[] =>
  (answer.json.error.fields ?? []).map(({ field }: { field: string }) => field);

forEachEngine((engine) => {
  describe("customer accounts over the operator API", () => {
    let rental: Rental;
    let support: SignedInOperator;
    let finance: SignedInOperator;
    let admin: SignedInOperator;
    before(async () => {
      rental = await startRental(engine);
      support = await rental.operator("support");
      finance = await rental.operator("finance");
      admin = await rental.operator("admin");
    });
    after(() => rental.close());

    const key = (text: string) => ({ "idempotency-key": text });
    const adjust = (id: string, body: unknown, headers: Record<string, string>, by = finance) =>
      by.send("POST", `${accounts}/${id}/adjustments`, { body, headers });

    test("an account is found by its username, id, order and server, with its balance", async () => {
      const ada = await rental.customer(200);
      const { json: placed } = await ada.send("POST", "/api/v1/orders", {
        body: order,
        headers: key("find-me-by-order"),
      });
      for (const query of [ada.username, ada.accountId, placed.id, placed.serverIds[0]]) {
        const { status, json } = await support.send("GET", `${accounts}?query=${query}`);
        assert.equal(status, 200);
        const found = json.accounts.find(({ id }: { id: string }) => id === ada.accountId);
        const { createdAt, ...summary } = found;
        assert.match(createdAt, /^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/);
        assert.deepEqual(summary, {
          id: ada.accountId,
          username: ada.username,
          closedAt: null,
          frozen: false,
          balanceUsd: 150.01,
          heldUsd: 0,
        });
      }
      assert.equal((await support.send("GET", `${accounts}?name=x`)).status, 400);
      const nothing = await support.send("GET", `${accounts}?query=%25`);
      assert.deepEqual(nothing.json, { accounts: [] });
    });

    test("one answer has an account's balances, servers, orders, withdrawals, ledger and audit", async () => {
      const ada = await rental.customer(1_000);
      await ada.send("POST", "/api/v1/orders", {
        body: { ...order, quantity: 2 },
        headers: key("two-servers"),
      });
      const withdrawal = { asset: "ETH", destination, usd: 25 };
      await ada.send("POST", "/api/v1/withdrawals", {
        body: withdrawal,
        headers: key("get-it-out"),
      });
      await ada.send("POST", "/api/v1/api-keys", { body: { name: "k", scope: "read" } });
      const { status, json } = await support.send("GET", `${accounts}/${ada.accountId}`);
      assert.equal(status, 200);
      assert.deepEqual(
        [json.username, json.balanceUsd, json.heldUsd, json.frozen, json.frozenAt],
        [ada.username, 1_000 - 99.98 - 25, 25, false, null],
      );
      assert.deepEqual([json.sessions, json.apiKeys], [1, 1]);
      assert.equal(json.servers.length, 2);
      assert.deepEqual(
        [json.servers[0].state, json.servers[0].priceUsd, json.servers[0].ddosQuoteUsd],
        ["PROVISIONING", 49.99, null],
      );
      assert.match(json.servers[0].machineId, /^mch_/);
      const own = (await ada.send("GET", "/api/v1/orders")).json.orders;
      assert.deepEqual(json.orders, own);
      assert.deepEqual(json.ledger, (await ada.send("GET", "/api/v1/ledger")).json.entries);
      assert.deepEqual(json.deposits, []);
      assert.deepEqual(
        json.withdrawals.map(({ usd, status: state, resolvedAt }: Record<string, unknown>) => [
          ...[usd, state, resolvedAt],
        ]),
        [[25, "PENDING_REVIEW", null]],
      );
      const actions = json.audit.map(
        ({ actorName, action }: Record<string, string>) => `${actorName} ${action}`,
      );
      for (const action of ["withdrawal.request", "order.place", "account.register"]) {
        assert.equal(actions.includes(`${ada.username} ${action}`), true, action);
      }
      assert.equal((await support.send("GET", `${accounts}/acc_unknown`)).status, 404);
    });

    test("the customer sees an adjustment with its reason, and its key replays it", async () => {
      const ada = await rental.customer(10);
      const body = { usd: "-2.50", reason: "a chargeback" };
      const first = await adjust(ada.accountId, body, key("adjust-once"));
      assert.equal(first.status, 201);
      const { id } = first.json;
      assert.deepEqual(first.json, {
        id,
        accountId: ada.accountId,
        usd: -2.5,
        balanceUsd: 7.5,
      });
      const again = await adjust(ada.accountId, { ...body, usd: -2.5 }, key("adjust-once"));
      assert.deepEqual([again.status, again.json], [201, first.json]);
      assert.equal(again.headers["idempotent-replayed"], "true");
      const [entry] = (await ada.send("GET", "/api/v1/ledger")).json.entries;
      assert.deepEqual(
        [entry.id, entry.type, entry.amountUsd, entry.description],
        [id, "ADJUSTMENT", -2.5, "a chargeback"],
      );
      assert.ok(
        !JSON.stringify(entry).includes(finance.operatorId),
        "the customer must not see the operator",
      );
    });

    test("errors of an adjustment follow the common precedence", async () => {
      const ada = await rental.customer(10);
      const good = { usd: 1, reason: "x" };
      assert.equal(codeOf(await adjust(ada.accountId, good, {})), "idempotency_key_required");
      assert.equal(
        codeOf(await adjust(ada.accountId, good, key("short"))),
        "idempotency_key_invalid",
      );
      assert.equal(
        codeOf(await adjust(ada.accountId, good, key("by-support"), support)),
        "role_forbidden",
      );
      for (const [body, field] of [
        [{ reason: "x" }, "usd"],
        [{ ...good, usd: 0 }, "usd"],
        [{ ...good, usd: 1.005 }, "usd"],
        [{ ...good, usd: "1e3" }, "usd"],
        [{ ...good, usd: true }, "usd"],
        [{ usd: 1 }, "reason"],
        [{ usd: 1, reason: "" }, "reason"],
        [{ usd: 1, reason: "  " }, "reason"],
        [{ usd: 1, reason: "x".repeat(501) }, "reason"],
        [{ ...good, accountId: "acc_x" }, "accountId"],
      ] as const) {
        const answer = await adjust(ada.accountId, body, key("wrong-fields"));
        assert.deepEqual([answer.status, fieldsOf(answer)], [400, [field]], answer.text);
      }
      assert.equal((await adjust("acc_unknown", good, key("unknown-account"))).status, 404);
      const tooMuch = await adjust(ada.accountId, { ...good, usd: -10.01 }, key("take-it-all"));
      assert.deepEqual([tooMuch.status, codeOf(tooMuch)], [409, "insufficient_balance"]);
      assert.match(
        tooMuch.json.error.message,
        /^Insufficient balance\. The account has \$[\d.]+; /,
      );
      assert.equal(
        (await adjust(ada.accountId, { ...good, usd: -10 }, key("take-it-all"))).status,
        201,
      );
      const other = await adjust(ada.accountId, good, key("take-it-all"));
      assert.equal(codeOf(other), "idempotency_conflict");
    });

    test("50 concurrent adjustments with one key take effect once and get the same answer", async () => {
      const ada = await rental.customer(0);
      const answers = await Promise.all(
        Array.from({ length: 50 }, () =>
          adjust(ada.accountId, { usd: 7, reason: "x" }, key("fifty-at-once")),
        ),
      );
      assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
      assert.equal((await ada.send("GET", "/api/v1/me")).json.balanceUsd, 7);
    });

    test("a suspended server refuses actions until resumed, and its owner sees the reason", async () => {
      const ada: RentalCustomer = await rental.customer(0);
      const { id } = await seedServer(rental.core, ada.accountId);
      const set = (what: string, body: unknown = { reason: "abuse" }, by = admin) =>
        by.send("POST", `/operator/v1/servers/${id}/${what}`, { body });
      const reboot = (text: string) =>
        ada.send("POST", `/api/v1/servers/${id}/actions`, {
          body: { action: "reboot" },
          headers: key(text),
        });
      for (let twice = 0; twice < 2; twice += 1) {
        const { status, json } = await set("suspend");
        assert.deepEqual([status, json.id, json.state], [200, id, "SUSPENDED"]);
      }
      assert.equal(codeOf(await reboot("reboot-suspended")), "server_not_ready");
      const own = await ada.send("GET", `/api/v1/servers/${id}`);
      assert.equal(own.json.state, "SUSPENDED");
      const since = new Date(rental.clock.now()).toISOString();
      assert.deepEqual(own.json.suspension, { reason: "abuse", since });
      const [listed] = (await ada.send("GET", "/api/v1/servers")).json.servers;
      assert.deepEqual(listed.suspension, own.json.suspension);
      const { work } = (await support.send("GET", "/operator/v1/work?kind=SERVER_ACTION")).json;
      const cut = work.find((item: { serverId: string }) => item.serverId === id);
      assert.deepEqual(cut.detail, { action: "power_off", reason: "abuse" });
      assert.equal("actionId" in cut, false);
      const resumed = await set("resume");
      assert.equal(resumed.json.state, "ACTIVE");
      assert.equal("suspension" in resumed.json, false);
      assert.deepEqual((await ada.send("GET", "/api/v1/servers")).json.servers, [resumed.json]);
      assert.equal((await reboot("reboot-resumed")).status, 202);
      assert.equal(codeOf(await set("suspend", { reason: "x" }, support)), "role_forbidden");
      assert.deepEqual(fieldsOf(await set("suspend", {})), ["reason"]);
      const unknown = await admin.send("POST", "/operator/v1/servers/srv_unknown/suspend", {
        body: { reason: "x" },
      });
      assert.equal(unknown.status, 404);
    });

    test("suspending or resuming an undelivered server is 409 and names the PROVISION work item", async () => {
      const ada = await rental.customer(100);
      const { json } = await ada.send("POST", "/api/v1/orders", {
        body: order,
        headers: key("not-delivered-yet"),
      });
      for (const what of ["suspend", "resume"]) {
        const path = `/operator/v1/servers/${json.serverIds[0]}/${what}`;
        const answer = await admin.send("POST", path, { body: { reason: "x" } });
        assert.deepEqual([answer.status, codeOf(answer)], [409, "conflict"]);
        assert.match(answer.json.error.message, /PROVISION work item/);
      }
    });

    test("every invariant holds after these tests", () => rental.assertInvariants());
  });
});
