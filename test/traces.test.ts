import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, afterEach, before, beforeEach, describe, test, type TestContext } from "node:test";
import { tracedWrites } from "#server/composition/traced-writes.ts";
import { sendDueWebhooks } from "#server/features/webhooks/send-webhooks.ts";
import { withTrace } from "#server/kernel/concurrency/trace.ts";
import { connect, createBed } from "./reverse-dns/bed.ts";
import { sharedPowerDns } from "./reverse-dns/shared-power-dns.ts";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { claimedItem, queue, runItem, withHardware } from "#test/hardware.ts";
import { startRedfishEmulator } from "#test/redfish-emulator.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { startReceiver, type WebhookReceiver } from "#test/webhook-receiver.ts";

/** A valid `traceparent` for each number. */
const traceOf = (number: number) =>
  `00-${number.toString(16).padStart(32, "a")}-00f067aa0ba902b7-01`;

const { skip, powerDns } = await sharedPowerDns();

/** A proxy before the API of PowerDNS that notes the trace of each change. */
async function noteChanges(t: TestContext, apiUrl: string) {
  const traces: unknown[] = [];
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "GET", url = "/", headers } = request;
    if (method === "PATCH") traces.push(headers["traceparent"]);
    const body = await text(request);
    const key = { "x-api-key": String(headers["x-api-key"]) };
    const init = { method, headers: key, ...(body !== "" && { body }) };
    const answer = await fetch(`${apiUrl}${url}`, init);
    response.writeHead(answer.status).end(await answer.text());
  };
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { traces, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

forEachEngine((engine) => {
  describe("a webhook's trace", () => {
    let service: TestService;
    let receiver: WebhookReceiver;
    before(async () => {
      receiver = await startReceiver();
      const settings = {
        IRONLEASE_WEBHOOK_ALLOW: "127.0.0.0/8",
        // The tests send themselves.
        IRONLEASE_WEBHOOKS_EVERY: "1h",
      };
      service = await startTestService(engine, { settings });
    });
    after(async () => {
      await service.close();
      await receiver.close();
    });

    test("is that of the request which caused the event, also when many are written at once", async () => {
      const customers = await Promise.all(Array.from({ length: 12 }, () => service.register()));
      const webhooks = await Promise.all(
        customers.map(async (customer, index) => {
          const url = `${receiver.url}?${index}`;
          const body = { url, events: ["session.created"] };
          const { json } = await customer.send("POST", "/api/v1/webhooks", { body });
          return String(json.id);
        }),
      );
      // Every third request has no trace.
      const wanted = customers.map((_, index) => (index % 3 === 0 ? undefined : traceOf(index)));
      await Promise.all(
        customers.map(async (customer, index) => {
          const traceparent = wanted[index];
          const path = `/api/v1/webhooks/${webhooks[index]}/test`;
          const headers = traceparent === undefined ? {} : { traceparent };
          const { status } = await customer.send("POST", path, { headers });
          assert.equal(status, 202);
        }),
      );
      // The sender's own trace is not that of the event.
      await withTrace(traceOf(99), () => sendDueWebhooks(service.core));
      const received = new Map(
        receiver.received.map(({ path, headers }) => [path, headers["traceparent"]]),
      );
      assert.deepEqual(
        customers.map((_, index) => received.get(`/hook?${index}`)),
        wanted,
      );
      assert.equal(received.size, customers.length);
    });

    test("changes when the customer asks for the delivery again", async () => {
      const ada = await service.register();
      const { json } = await ada.send("POST", "/api/v1/webhooks", { body: { url: receiver.url } });
      const path = `/api/v1/webhooks/${json.id}`;
      const first = await ada.send("POST", `${path}/test`, {
        headers: { traceparent: traceOf(1) },
      });
      await sendDueWebhooks(service.core);
      const again = `${path}/deliveries/${first.json.id}/redeliver`;
      await ada.send("POST", again, { headers: { traceparent: traceOf(2) } });
      await sendDueWebhooks(service.core);
      assert.deepEqual(
        receiver.received.slice(-2).map(({ headers }) => headers["traceparent"]),
        [traceOf(1), traceOf(2)],
      );
    });
  });

  describe("the trace of work for later", () => {
    let opened: TestCore;
    // Each test has its own database: a zone belongs to the servers of one.
    beforeEach(async () => {
      opened = await createTestCore(engine);
    });
    afterEach(() => opened.dispose());
    const traced = () => ({ ...opened.core, db: tracedWrites(opened.core.db) });

    test("a hardware run has that of the operator's request", async (t) => {
      const machine = await startRedfishEmulator();
      t.after(() => machine.stop());
      const core = withHardware(traced());
      const item = await claimedItem(core, machine.controller, "reboot");
      machine.reset();
      const run = await withTrace(traceOf(7), () => runItem(core, item));
      assert.equal(run.state, "SUCCEEDED", run.reason);
      assert.ok(machine.traces.length > 3);
      assert.deepEqual([...new Set(machine.traces)], [traceOf(7)]);
      await withTrace(traceOf(8), () => queue(core, item));
      const { traceparent } = await core.db.read
        .selectFrom("hardware_runs")
        .select("traceparent")
        .where("state", "=", "QUEUED")
        .executeTakeFirstOrThrow();
      assert.equal(traceparent, traceOf(8));
    });

    test(
      "a change of reverse DNS has that of the request, unless one call carries several",
      { skip },
      async (t) => {
        const proxy = await noteChanges(t, powerDns().apiUrl);
        const dns = connect({ ...powerDns(), apiUrl: proxy.url });
        const bed = await createBed(traced(), dns);
        const [first = ""] = (await bed.server()).assignmentIds;
        const [second = ""] = (await bed.server()).assignmentIds;
        const pass = async () => assert.deepEqual((await bed.pass()).failures, []);
        await pass();
        proxy.traces.length = 0;
        await withTrace(traceOf(1), () => bed.set(first, "one.example.com"));
        await pass();
        assert.deepEqual(proxy.traces, [traceOf(1)]);
        await withTrace(traceOf(2), () => bed.set(first, "two.example.com"));
        await withTrace(traceOf(3), () => bed.set(second, "three.example.com"));
        await pass();
        await bed.set(first, "four.example.com");
        await pass();
        assert.deepEqual(proxy.traces, [traceOf(1), undefined, undefined]);
      },
    );
  });
});
