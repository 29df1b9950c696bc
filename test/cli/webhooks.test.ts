import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { openCliHarness, type CliHarness, type Customer } from "#test/cli-harness.ts";
import { accept, startReceiver, type WebhookReceiver } from "#test/webhook-receiver.ts";

describe("webhooks, from the command line to a receiver", () => {
  let harness: CliHarness;
  let customer: Customer;
  let receiver: WebhookReceiver;
  /** Resolves when the receiver has that many messages. */
  let arrival: (count: number) => Promise<void>;
  before(async () => {
    let onMessage = () => {};
    receiver = await startReceiver((response, message) => {
      accept(response, message);
      onMessage();
    });
    arrival = (count) =>
      new Promise((resolve) => {
        onMessage = () => {
          if (receiver.received.length >= count) resolve();
        };
        onMessage();
      });
    harness = await openCliHarness();
    customer = await harness.newCustomer();
  });
  after(async () => {
    await harness.close();
    await receiver.close();
  });

  test("a running service sends signed messages, and the commands manage them", async () => {
    const created = await customer.run(["webhook", "create", receiver.url]);
    const secret = /^Secret +(whsec_\S+)$/m.exec(created.stdout)?.[1] ?? "";
    const id = /^Id +(whk_\w+)$/m.exec(created.stdout)?.[1] ?? "";
    assert.match(created.stdout, /^Events +all$/m, created.stderr);

    const { address } = await customer.json(["deposit", "create", "BTC"]);
    await harness.pay(address as string, "0.01");
    await arrival(2);
    const types = receiver.received.map(({ body, headers }) => {
      const { type } = new Webhook(secret).verify(body, headers) as { type: string };
      return type;
    });
    assert.deepEqual(types.toSorted(), ["deposit.credited", "deposit.seen"]);

    const tested = await customer.json(["webhook", "test", id]);
    await arrival(3);
    assert.equal(receiver.received[2]?.headers["webhook-id"], tested.id);
    await customer.run(["webhook", "redeliver", id, tested.id as string]);
    await arrival(4);
    assert.equal(receiver.received[3]?.headers["webhook-id"], tested.id);
    const log = await customer.run(["webhook", "deliveries", id]);
    assert.match(log.stdout, new RegExp(`^${tested.id} +webhook.test `, "m"));
    assert.match(log.stdout, /deposit\.credited .* 1 +204 /);

    const rotated = await customer.json(["webhook", "rotate", id, "--yes"]);
    assert.notEqual(rotated.secret, secret);
    assert.match((await customer.run(["webhook", "list"])).stdout, new RegExp(`^${id} `, "m"));
    assert.equal((await customer.run(["webhook", "delete", id, "--yes"])).code, 0);
    assert.equal((await customer.run(["webhook", "list"])).stdout, "No webhooks.\n");
  });

  test("an unknown event or a URL that is not public is refused", async () => {
    const argv = ["webhook", "create", "https://hooks.example.com/", "--events", "server.lost"];
    assert.equal((await customer.run(argv)).code, 2);
    const internal = await customer.run(["webhook", "create", "https://10.0.0.1/"]);
    assert.equal(internal.code, 3);
    assert.match(internal.stderr, /url \(URL\) must have a public host name/);
  });
});
