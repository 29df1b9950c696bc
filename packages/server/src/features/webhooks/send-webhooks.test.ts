import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, mock, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { testClient } from "#test/bare-core.ts";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { accept, fail, startReceiver, type WebhookReceiver } from "#test/webhook-receiver.ts";
import { logOf, onlyDelivery, recordOrders, subscribeUrl } from "#test/webhooks.ts";
import type { Core } from "#kernel/core.ts";
import { UnknownSealingKey } from "#ports/sealing.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { redeliverEvent, testWebhook } from "./request-delivery.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { sendDueWebhooks, startWebhooks } from "./send-webhooks.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

forEachEngine((engine) => {
  describe("sending webhooks", () => {
    let opened: TestCore;
    let core: Core;
    let receiver: WebhookReceiver;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());
    beforeEach(async () => {
      receiver = await startReceiver();
    });
    afterEach(() => receiver.close());

    const callOf = ({ accountId }: { readonly accountId: string }) => ({
      accountId,
      client: testClient,
    });
    const idsReceived = () => receiver.received.map(({ headers }) => headers["webhook-id"]);

    test("a receiver verifies each message, and with either secret for a day after a rotation", async (t) => {
      const webhook = await subscribeUrl(core, receiver.url);
      const next = async () => {
        await recordOrders(core, webhook.accountId);
        // The package compares the time of the message with the clock.
        mock.timers.enable({ apis: ["Date"], now: core.clock.now() });
        t.after(() => mock.timers.reset());
        await sendDueWebhooks(core);
        const { body, headers } = receiver.received.at(-1) ?? assert.fail();
        const verify = (secret: string) => new Webhook(secret).verify(body, headers);
        return { verify, reset: () => mock.timers.reset() };
      };
      const first = await next();
      assert.deepEqual(first.verify(webhook.secret), {
        type: "order.accepted",
        timestamp: new Date(core.clock.now()).toISOString(),
        data: { orderId: "ord_0", totalUsd: 49.99, serverIds: [] },
      });
      first.reset();
      const { secret } = await valueOf(rotateSecret(core, callOf(webhook), webhook.id));
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
      const second = await next();
      assert.doesNotThrow(() => second.verify(secret));
      assert.doesNotThrow(() => second.verify(webhook.secret));
      second.reset();
      opened.clock.advance(dayMs);
      const third = await next();
      assert.doesNotThrow(() => third.verify(secret));
      assert.throws(() => third.verify(webhook.secret), /No matching signature/);
      third.reset();
    });

    test("a receiver that fails for two days gets the same message once it works", async () => {
      receiver.answerWith(fail);
      const webhook = await subscribeUrl(core, receiver.url);
      await recordOrders(core, webhook.accountId);
      for (let hours = 0; hours < 48; hours += 1) {
        await sendDueWebhooks(core);
        opened.clock.advance(hourMs);
      }
      const waiting = await onlyDelivery(core, webhook);
      assert.deepEqual([waiting.lastStatus, waiting.deliveredAt], [500, null]);
      assert.ok(waiting.attempts >= 6 && waiting.attempts <= 30, `${waiting.attempts} attempts`);
      receiver.answerWith(accept);
      opened.clock.advance(8 * hourMs);
      assert.deepEqual(await sendDueWebhooks(core), { delivered: 1, failed: 0 });
      const delivered = await onlyDelivery(core, webhook);
      assert.deepEqual(
        [delivered.attempts, delivered.lastStatus, delivered.deliveredAt],
        [waiting.attempts + 1, 204, core.clock.now()],
      );
      assert.deepEqual(new Set(idsReceived()), new Set([delivered.id]));
      assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1);
    });

    test("after three days a message is given up, and a redelivery starts again", async () => {
      receiver.answerWith(fail);
      const webhook = await subscribeUrl(core, receiver.url);
      await recordOrders(core, webhook.accountId);
      for (let hours = 0; hours < 74; hours += 1) {
        await sendDueWebhooks(core);
        opened.clock.advance(hourMs);
      }
      const { attempts, id: deliveryId } = await onlyDelivery(core, webhook);
      opened.clock.advance(8 * hourMs);
      assert.deepEqual(await sendDueWebhooks(core), { delivered: 0, failed: 0 });
      receiver.answerWith(accept);
      const again = { webhookId: webhook.id, deliveryId };
      const requested = await valueOf(redeliverEvent(core, callOf(webhook), again));
      assert.deepEqual([requested.id, requested.deliveredAt], [deliveryId, null]);
      assert.deepEqual(await sendDueWebhooks(core), { delivered: 1, failed: 0 });
      const delivered = await onlyDelivery(core, webhook);
      assert.deepEqual([delivered.attempts, delivered.lastStatus], [attempts + 1, 204]);
    });

    test("after five days of failures the webhook is disabled and the customer gets one message", async () => {
      receiver.answerWith(fail);
      const webhook = await subscribeUrl(core, receiver.url);
      for (let hours = 0; hours <= 126; hours += 6) {
        await recordOrders(core, webhook.accountId);
        await sendDueWebhooks(core);
        opened.clock.advance(6 * hourMs);
      }
      const row = await core.db.read
        .selectFrom("subscribers")
        .select(["disabled_at", "failing_since"])
        .where("id", "=", webhook.id)
        .executeTakeFirstOrThrow();
      assert.equal((row.disabled_at ?? 0) - (row.failing_since ?? 0), 5 * dayMs);
      const messages = await core.db.read
        .selectFrom("messages")
        .select(["sender", "text"])
        .where("account_id", "=", webhook.accountId)
        .execute();
      assert.equal(messages.length, 1);
      assert.equal(messages[0]?.sender, "SERVICE");
      assert.match(
        messages[0].text,
        new RegExp(`${webhook.id} at 127.0.0.1:\\d+ has been disabled`),
      );
      const sent = receiver.received.length;
      await recordOrders(core, webhook.accountId);
      await sendDueWebhooks(core);
      assert.equal(receiver.received.length, sent);
      assert.equal(await codeOf(testWebhook(core, callOf(webhook), webhook.id)), "conflict");
    });

    test("failures with a pause of more than a day do not disable the webhook", async () => {
      receiver.answerWith(fail);
      const webhook = await subscribeUrl(core, receiver.url);
      for (const days of [4, 4]) {
        await recordOrders(core, webhook.accountId);
        await sendDueWebhooks(core);
        opened.clock.advance(days * dayMs);
      }
      await recordOrders(core, webhook.accountId);
      await sendDueWebhooks(core);
      const { disabled_at: disabledAt } = await core.db.read
        .selectFrom("subscribers")
        .select("disabled_at")
        .where("id", "=", webhook.id)
        .executeTakeFirstOrThrow();
      assert.equal(disabledAt, null);
      await valueOf(deleteWebhook(core, callOf(webhook), webhook.id));
    });

    test("two instances send each of 300 messages once", async () => {
      const webhooks = await Promise.all([1, 2, 3].map(() => subscribeUrl(core, receiver.url)));
      for (const { accountId } of webhooks) await recordOrders(core, accountId, 100);
      const other = await opened.reopen();
      const sent = await Promise.all([sendDueWebhooks(core), sendDueWebhooks(other)]);
      assert.equal(sent[0].delivered + sent[1].delivered, 300);
      assert.equal(receiver.received.length, 300);
      assert.equal(new Set(idsReceived()).size, 300);
    });

    test("a process that dies after sending leaves the message to the next one", async () => {
      const webhook = await subscribeUrl(core, receiver.url);
      await recordOrders(core, webhook.accountId);
      const dying: Core = {
        ...core,
        db: {
          ...dbOf(core),
          write: (work, ...rest) => {
            if (receiver.received.length > 0) throw new Error("killed");
            return core.db.write(work, ...rest);
          },
        },
      };
      await assert.rejects(sendDueWebhooks(dying), /killed/);
      assert.equal(receiver.received.length, 1);
      assert.deepEqual(await sendDueWebhooks(core), { delivered: 0, failed: 0 }, "it is leased");
      opened.clock.advance(60_000);
      assert.deepEqual(await sendDueWebhooks(core), { delivered: 1, failed: 0 });
      const { id } = await onlyDelivery(core, webhook);
      assert.deepEqual(idsReceived(), [id, id]);
    });

    test("a webhook whose secret cannot be opened is reported and waits, and others are sent to", async () => {
      const [broken, good] = [
        await subscribeUrl(core, receiver.url),
        await subscribeUrl(core, receiver.url),
      ];
      for (const { accountId } of [broken, good]) await recordOrders(core, accountId);
      const open: Core["sealing"]["open"] = (stored, context) => {
        if (context.endsWith(broken.id)) throw new UnknownSealingKey("lost");
        return core.sealing.open(stored, context);
      };
      const sealing = { ...core.sealing, open };
      await assert.rejects(sendDueWebhooks({ ...core, sealing }), UnknownSealingKey);
      assert.equal(receiver.received.length, 1);
      assert.equal((await onlyDelivery(core, good)).lastStatus, 204);
      opened.clock.advance(60_000);
      assert.deepEqual(await sendDueWebhooks(core), { delivered: 1, failed: 0 });
    });

    test("a receiver that hangs delays no other, and stopping does not wait for it", async () => {
      const arrived = Promise.withResolvers<void>();
      receiver.answerWith(() => {});
      const hanging = await subscribeUrl(core, receiver.url);
      await recordOrders(core, hanging.accountId, 20);
      const working = await startReceiver((response, message) => {
        accept(response, message);
        if (working.received.length === 5) arrived.resolve();
      });
      const others: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        others.push((await subscribeUrl(core, working.url)).accountId);
      }
      const job = startWebhooks(core, 1, { onPass: () => {}, onFailure: arrived.reject });
      for (const accountId of others) await recordOrders(core, accountId);
      await arrived.promise;
      await job.stop();
      await working.close();
      assert.ok(receiver.received.length <= 4, "at most four requests at once");
      const log = await logOf(core, hanging);
      assert.ok(log.every(({ attempts }) => attempts === 0));
    });
  });
});

/** The port's methods, without the class behind it. */
function dbOf({ db }: Core): Core["db"] {
  return {
    engine: db.engine,
    read: db.read,
    generation: () => db.generation(),
    write: (work, ...rest) => db.write(work, ...rest),
    migrate: (steps, now) => db.migrate(steps, now),
    pending: (steps) => db.pending(steps),
    acceptsWrites: () => db.acceptsWrites(),
    close: () => db.close(),
  };
}
