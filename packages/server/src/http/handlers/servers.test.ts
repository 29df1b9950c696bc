import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operations } from "@ironlease/contract";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer } from "#test/https-client.ts";
import { operatorCall } from "#test/operators.ts";
import { ddosWorkOf, offer } from "#test/quotes.ts";
import { assertInvariantsHold, endServer, seedServer, type SeededServer } from "#test/rental.ts";
import { startTestService, type Customer, type TestService } from "#test/service.ts";
import { freshKey } from "#test/use-cases.ts";

const recordFields =
  "id orderId configId osId hostname state region term priceUsd ddosUsd paidThrough graceUntil autoRenew ddosMode label createdAt";

interface Tenant extends Customer {
  readonly accountId: string;
}

/** Every operation on one server or one address, with a valid body. */
const operationsById = [
  { ...operations.readServer, body: undefined },
  { ...operations.requestAction, body: { action: "reboot" } },
  { ...operations.setDdosMode, body: { mode: "ADVANCED" } },
  { ...operations.acceptQuote, body: { usd: 50 } },
  { ...operations.setRenewal, body: { autoRenew: false } },
  { ...operations.setLabel, body: { label: "Shop" } },
  { ...operations.setReverseDns, body: { ptr: "web1.example.com" } },
];

const change = (who: Customer, method: string, path: string, body: object, key = freshKey()) =>
  who.send(method, path, { body, headers: { "idempotency-key": key } });
const act = (who: Customer, { id }: SeededServer, body: object, key = freshKey()) =>
  change(who, "POST", `/api/v1/servers/${id}/actions`, body, key);
const setMode = (who: Customer, { id }: SeededServer, body: object, key = freshKey()) =>
  change(who, "PUT", `/api/v1/servers/${id}/ddos`, body, key);

forEachEngine((engine) => {
  describe("servers and their addresses over HTTP", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine);
    });
    after(() => service.close());

    const tenant = async (): Promise<Tenant> => {
      const customer = await service.register();
      const { id: accountId } = await service.core.db.read
        .selectFrom("accounts")
        .select("id")
        .where("username", "=", customer.username)
        .executeTakeFirstOrThrow();
      return { ...customer, accountId };
    };

    test("the list, the detail and the network list have exactly the fields of the contract", async () => {
      const ada = await tenant();
      const now = service.clock.now();
      const server = await seedServer(service.core, ada.accountId, { priceCents: 12_345 });
      const { json: list } = await ada.send("GET", "/api/v1/servers");
      assert.deepEqual(Object.keys(list), ["servers"]);
      const [record] = list.servers;
      assert.equal(Object.keys(record).join(" "), recordFields);
      assert.equal(record.priceUsd, 123.45);
      assert.equal(record.autoRenew, true);
      assert.equal(record.createdAt, new Date(now).toISOString());
      assert.equal(record.paidThrough, new Date(now + 30 * 86_400_000).toISOString());
      assert.equal(record.graceUntil, new Date(now + 33 * 86_400_000).toISOString());

      const { json: network } = await ada.send("GET", "/api/v1/network");
      assert.deepEqual(Object.keys(network), ["assignments"]);
      const fields = ["id", "serverId", "address", "prefixLength", "family", "ptr", "ptrPublished"];
      for (const found of network.assignments) assert.deepEqual(Object.keys(found), fields);

      const { json: detail } = await ada.send("GET", `/api/v1/servers/${server.id}`);
      const ddos = { mode: "BASELINE", requestedMode: null, quoteRequired: false, quote: null };
      // `thread` is an extension: the conversation about the server, once there is one.
      const { assignments } = network;
      assert.deepEqual(detail, { ...record, assignments, ddos, thread: null });
    });

    test("before delivery, paidThrough, graceUntil and hostname are null, and HEAD answers like GET", async () => {
      const ada = await tenant();
      const { id } = await seedServer(service.core, ada.accountId, { state: "PROVISIONING" });
      const { json, headers } = await ada.send("GET", `/api/v1/servers/${id}`);
      assert.deepEqual([json.paidThrough, json.graceUntil, json.hostname], [null, null, null]);
      const head = await ada.send("HEAD", `/api/v1/servers/${id}`);
      assert.equal(head.status, 200);
      assert.equal(head.text, "");
      assert.equal(head.headers["content-length"], headers["content-length"]);
    });

    test("changing renewal returns the record that the list then shows", async () => {
      const ada = await tenant();
      const { id } = await seedServer(service.core, ada.accountId);
      const body = { autoRenew: false };
      const answer = await ada.send("PUT", `/api/v1/servers/${id}/renewal`, { body });
      assert.equal(answer.status, 200);
      assert.equal(answer.json.autoRenew, false);
      assert.deepEqual((await ada.send("GET", "/api/v1/servers")).json.servers, [answer.json]);
    });

    test("setting reverse DNS returns the stored name and needs no idempotency key", async () => {
      const ada = await tenant();
      const { assignmentIds } = await seedServer(service.core, ada.accountId);
      const path = `/api/v1/network/${assignmentIds[0]}/rdns`;
      const put = (ptr: string | null) => ada.send("PUT", path, { body: { ptr } });
      const answer = await put("WEB1.example.com.");
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.json, { id: assignmentIds[0], ptr: "web1.example.com" });
      const { json } = await ada.send("GET", "/api/v1/network");
      assert.equal(json.assignments[0].ptr, "web1.example.com");
      assert.deepEqual((await put(null)).json, { id: assignmentIds[0], ptr: "" });
    });

    test("a replay has the first status and body, and the header idempotent-replayed", async () => {
      const ada = await tenant();
      const server = await seedServer(service.core, ada.accountId);
      const key = freshKey();
      // The same key works for both operations, because each operation has its own key namespace.
      const asks = [
        () => act(ada, server, { action: "reboot" }, key),
        () => setMode(ada, server, { mode: "ADVANCED" }, key),
      ];
      for (const ask of asks) {
        const [first, again] = [await ask(), await ask()];
        assert.equal(first.status, 202);
        assert.equal(first.headers["idempotent-replayed"], undefined);
        assert.deepEqual([again.status, again.text], [first.status, first.text]);
        assert.equal(again.headers["idempotent-replayed"], "true");
      }
    });

    test("the server detail matches every answer to a DDoS mode change", async () => {
      const ada = await tenant();
      const server = await seedServer(service.core, ada.accountId);
      for (const mode of ["ADVANCED", "ADVANCED", "BASELINE", "BASELINE"]) {
        const answer = await setMode(ada, server, { mode });
        const isQueued = mode === "ADVANCED";
        assert.equal(answer.status, isQueued ? 202 : 200);
        const status = isQueued ? "QUEUED" : "UNCHANGED";
        assert.deepEqual(answer.json, { status, mode, quoteRequired: isQueued });
        const { json } = await ada.send("GET", `/api/v1/servers/${server.id}`);
        const requestedMode = isQueued ? mode : null;
        const modes = { mode: "BASELINE", requestedMode };
        assert.deepEqual(json.ddos, { ...modes, quoteRequired: isQueued, quote: null });
      }
      await assertInvariantsHold(service.core.db);
    });

    test("a quote is shown as offered, and accepting it is 202 and never says that it is applied", async () => {
      const ada = await tenant();
      const server = await seedServer(service.core, ada.accountId);
      await setMode(ada, server, { mode: "ADVANCED" });
      const { core, clock } = service;
      const operator = await operatorCall(core, "support");
      await offer(core, operator, await ddosWorkOf(core, server.id), 50.5);
      const path = `/api/v1/servers/${server.id}`;
      const detail = (await ada.send("GET", path)).json;
      const offeredAt = new Date(clock.now()).toISOString();
      const expiresAt = new Date(clock.now() + 14 * 86_400_000).toISOString();
      assert.deepEqual(detail.ddos.quote, { usd: 50.5, offeredAt, expiresAt });
      const accept = (usd: unknown) => change(ada, "POST", `${path}/ddos/quote`, { usd });
      const other = await accept(50);
      assert.deepEqual([other.status, codeOf(other)], [409, "quote_changed"]);
      const accepted = await accept("50.50");
      assert.equal(accepted.status, 202);
      const answer = { status: "QUEUED", mode: "ADVANCED", quoteRequired: false };
      assert.deepEqual(accepted.json, answer);
      const after = (await ada.send("GET", path)).json;
      assert.deepEqual([after.ddosMode, after.ddosUsd], ["BASELINE", 0]);
    });

    test("a foreign, a terminated and an unknown id get the same 404 on every operation", async () => {
      const [ada, eve] = [await tenant(), await tenant()];
      const foreign = await seedServer(service.core, eve.accountId);
      const ended = await seedServer(service.core, ada.accountId);
      await endServer(service.core, ada.accountId, ended);
      const untouched = await serversAndNetworkOf(eve);
      const bodies = new Set<string>();
      for (const { method, path, body } of operationsById) {
        const isAddress = path.startsWith("/api/v1/network");
        const ids = isAddress
          ? [foreign.assignmentIds[0], ended.assignmentIds[0], "net_01hzzzzzzzzzzzzzzzzzzzzzzz"]
          : [foreign.id, ended.id, "srv_01hzzzzzzzzzzzzzzzzzzzzzzz"];
        for (const id of ids) {
          const headers = { "idempotency-key": freshKey() };
          const target = path.replace("{id}", id ?? "");
          const answer = await ada.send(method, target, { headers, ...(body && { body }) });
          assert.equal(answer.status, 404, `${method} ${target}`);
          bodies.add(withoutRequestId(answer));
        }
      }
      assert.equal(bodies.size, 1);
      assert.deepEqual(await serversAndNetworkOf(eve), untouched);
    });

    test("errors win in the order key syntax, fields, ownership, key lookup, server state", async () => {
      const [ada, eve] = [await tenant(), await tenant()];
      const mine = await seedServer(service.core, ada.accountId);
      const foreign = await seedServer(service.core, eve.accountId);
      const suspended = await seedServer(service.core, ada.accountId, { state: "SUSPENDED" });
      const good = { action: "reboot" };
      const bad = { action: "reboot", isoUrl: "https://images.debian.org/netinst.iso" };
      const key = freshKey();
      assert.equal((await act(ada, mine, good, key)).status, 202);
      assert.equal(codeOf(await act(ada, foreign, bad, "short")), "idempotency_key_invalid");
      assert.equal(codeOf(await act(ada, foreign, bad, key)), "validation_failed");
      assert.equal(codeOf(await act(ada, foreign, good, key)), "not_found");
      assert.equal(codeOf(await act(ada, suspended, good, key)), "idempotency_conflict");
      assert.equal(codeOf(await act(ada, suspended, good)), "server_not_ready");
    });

    test("invalid values and unknown fields are 400 and name the field", async () => {
      const ada = await tenant();
      const server = await seedServer(service.core, ada.accountId);
      const asked: [Promise<Answer>, string][] = [
        [act(ada, server, { action: "explode" }), "action"],
        [act(ada, server, { action: "mount_iso" }), "isoUrl"],
        [act(ada, server, { action: "kvm", price: 1 }), "price"],
        [setMode(ada, server, { mode: "advanced" }), "mode"],
        [change(ada, "PUT", `/api/v1/servers/${server.id}/renewal`, { autoRenew: 1 }), "autoRenew"],
        [change(ada, "PUT", `/api/v1/network/${server.assignmentIds[0]}/rdns`, {}), "ptr"],
      ];
      for (const [answering, field] of asked) {
        const answer = await answering;
        assert.equal(codeOf(answer), "validation_failed", field);
        assert.deepEqual(answer.json.error.fields[0].field, field);
      }
    });

    test("100 concurrent requests with one key get byte-identical answers, 99 of them replays", async () => {
      const ada = await tenant();
      const server = await seedServer(service.core, ada.accountId);
      const key = freshKey();
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => act(ada, server, { action: "power_off" }, key)),
      );
      assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
      const replays = answers.filter(({ headers }) => headers["idempotent-replayed"] === "true");
      assert.equal(replays.length, 99);
      await assertInvariantsHold(service.core.db);
    });
  });
});

async function serversAndNetworkOf(customer: Customer): Promise<string> {
  const servers = await customer.send("GET", "/api/v1/servers");
  const network = await customer.send("GET", "/api/v1/network");
  return `${servers.text} ${network.text}`;
}

function withoutRequestId(answer: Answer): string {
  return JSON.stringify({ ...answer.json.error, requestId: undefined });
}
