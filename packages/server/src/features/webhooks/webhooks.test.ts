import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { eventTypes } from "@ironlease/contract";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { startTestService, type Customer, type TestService } from "#test/service.ts";
import { startReceiver } from "#test/webhook-receiver.ts";
import { sendDueWebhooks } from "./send-webhooks.ts";

const path = "/api/v1/webhooks";
const url = "https://hooks.example.com/ironlease";

forEachEngine((engine) => {
  describe("webhooks", () => {
    let service: TestService;
    before(async () => {
      const settings = { IRONLEASE_WEBHOOK_ALLOW: "127.0.0.0/8" };
      service = await startTestService(engine, { settings });
    });
    after(() => service.close());

    const create = async (customer: Customer, body: object = { url }) =>
      (await customer.send("POST", path, { body })).json;

    test("are created with a secret that no later answer shows", async () => {
      const ada = await service.register();
      const created = await create(ada);
      const { secret, ...record } = created;
      assert.deepEqual(Object.keys(created), [
        ...["id", "url", "events", "createdAt", "disabledAt", "secret"],
      ]);
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      assert.deepEqual([record.url, record.events, record.disabledAt], [url, eventTypes, null]);
      const chosen = await create(ada, { url, events: ["server.active", "deposit.seen"] });
      assert.deepEqual(chosen.events, ["deposit.seen", "server.active"]);
      const { webhooks } = (await ada.send("GET", path)).json;
      const { secret: _, ...second } = chosen;
      assert.deepEqual(webhooks, [record, second]);
      const rotated = await ada.send("POST", `${path}/${record.id}/secret`);
      assert.equal(rotated.status, 200);
      assert.notEqual(rotated.json.secret, secret);
    });

    test("URLs that are not public, and unknown or repeated events, are 400 with the field", async () => {
      const ada = await service.register();
      for (const bad of [
        "http://hooks.example.com/",
        "https://localhost.localdomain/",
        "https://10.0.0.1/",
        "https://user@hooks.example.com/",
        "http://10.0.0.1/",
        "http://127.0.0.1#fragment",
      ]) {
        const answer = await ada.send("POST", path, { body: { url: bad } });
        assert.equal(codeOf(answer), "validation_failed", bad);
        assert.equal(answer.json.error.fields[0].field, "url");
      }
      for (const events of [[], ["server.lost"], ["deposit.seen", "deposit.seen"]]) {
        const answer = await ada.send("POST", path, { body: { url, events } });
        assert.equal(codeOf(answer), "validation_failed", events.join());
      }
    });

    test("the eleventh is 409 limit_reached, even among concurrent requests", async () => {
      const ada = await service.register();
      const answers = await Promise.all(
        Array.from({ length: 14 }, () => ada.send("POST", path, { body: { url } })),
      );
      assert.equal(answers.filter(({ status }) => status === 201).length, 10);
      assert.equal(answers.filter((answer) => codeOf(answer) === "limit_reached").length, 4);
    });

    test("of another account are 404", async () => {
      const [ada, eve] = [await service.register(), await service.register()];
      const { id } = await create(ada);
      const own = await create(eve);
      const { json: delivery } = await ada.send("POST", `${path}/${id}/test`);
      for (const [method, target] of [
        ["DELETE", `${path}/${id}`],
        ["POST", `${path}/${id}/test`],
        ["POST", `${path}/${id}/secret`],
        ["GET", `${path}/${id}/deliveries`],
        ["POST", `${path}/${id}/deliveries/${delivery.id}/redeliver`],
        ["POST", `${path}/${own.id}/deliveries/${delivery.id}/redeliver`],
      ] as const) {
        assert.equal(codeOf(await eve.send(method, target)), "not_found", target);
      }
      assert.deepEqual((await eve.send("GET", path)).json.webhooks.length, 1);
    });

    test("a test is sent once, is in the log, can be sent again, and ends with its webhook", async () => {
      const receiver = await startReceiver();
      const ada = await service.register();
      const { id } = await create(ada, { url: receiver.url, events: ["server.active"] });
      const first = await ada.send("POST", `${path}/${id}/test`);
      assert.equal(first.status, 202);
      assert.deepEqual((await ada.send("POST", `${path}/${id}/test`)).json, first.json);
      await sendDueWebhooks(service.core);
      const log = async () => (await ada.send("GET", `${path}/${id}/deliveries`)).json.deliveries;
      const [delivered, ...others] = await log();
      assert.deepEqual(others, []);
      assert.equal(delivered.id, first.json.id);
      assert.deepEqual(
        [delivered.event, delivered.attempts, delivered.lastStatus, delivered.deliveredAt],
        ["webhook.test", 1, 204, new Date(service.clock.now()).toISOString()],
      );
      const again = await ada.send("POST", `${path}/${id}/deliveries/${delivered.id}/redeliver`);
      assert.deepEqual([again.status, again.json.deliveredAt], [202, null]);
      await sendDueWebhooks(service.core);
      assert.deepEqual((await log())[0].attempts, 2);
      assert.equal(receiver.received.length, 2);
      await ada.send("POST", `${path}/${id}/test`);
      assert.equal((await ada.send("DELETE", `${path}/${id}`)).status, 204);
      await sendDueWebhooks(service.core);
      assert.equal(receiver.received.length, 2);
      await receiver.close();
    });
  });
});
