import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startReceiver, type WebhookReceiver } from "#test/webhook-receiver.ts";
import type { Resolve } from "./permitted-addresses.ts";
import { createWebhookPost } from "./webhook-post.ts";

const never = new AbortController().signal;
const message = (url: string) => ({ url, headers: { "webhook-id": "whd_1" }, body: "{}" });
const notPublic = { status: null, reason: "the host has an address that is not public" };

describe("posting to a webhook", () => {
  let receiver: WebhookReceiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());

  const loopback: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];
  const post = (url = receiver.url, answerMs = 2_000) =>
    createWebhookPost({ allowed: ["127.0.0.0/8"], answerMs })(message(url), never);

  test("sends headers and body, and answers with the status", async () => {
    assert.deepEqual(await post(`${receiver.url}?a=b`), { status: 204 });
    const last = receiver.received.at(-1);
    assert.deepEqual(
      [last?.path, last?.body, last?.headers["webhook-id"]],
      ["/hook?a=b", "{}", "whd_1"],
    );
  });

  test("no address that is not public is contacted, whatever the name resolves to", async () => {
    const before = receiver.received.length;
    const strict = createWebhookPost({ allowed: [] });
    for (const url of [
      receiver.url,
      `https://127.0.0.1:${receiver.port}/`,
      `https://[::1]:${receiver.port}/`,
      `https://[::ffff:127.0.0.1]:${receiver.port}/`,
      "https://169.254.169.254/latest/meta-data",
    ]) {
      assert.deepEqual(await strict(message(url), never), notPublic, url);
    }
    const mixed: Resolve = async () => [
      { address: "8.8.8.8", family: 4 },
      { address: "10.0.0.1", family: 4 },
    ];
    const none: Resolve = async () => [];
    for (const resolve of [loopback, mixed, none]) {
      const named = createWebhookPost({ allowed: [], resolve });
      const url = `https://hooks.example.com:${receiver.port}/`;
      assert.deepEqual(await named(message(url), never), notPublic);
    }
    assert.equal(receiver.received.length, before);
  });

  test("plain HTTP is refused outside the allowed networks", async () => {
    const publicName: Resolve = async () => [{ address: "93.184.215.14", family: 4 }];
    const named = createWebhookPost({ allowed: ["127.0.0.0/8"], resolve: publicName });
    assert.deepEqual(await named(message("http://hooks.example.com/"), never), notPublic);
  });

  test("a name that resolves differently the second time is connected to the checked address", async () => {
    let lookups = 0;
    const rebinding: Resolve = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    };
    const named = createWebhookPost({ allowed: ["127.0.0.1"], resolve: rebinding });
    const url = `http://hooks.example.com:${receiver.port}/hook`;
    assert.deepEqual(await named(message(url), never), { status: 204 });
    assert.equal(lookups, 1);
    assert.equal(receiver.received.at(-1)?.host, `hooks.example.com:${receiver.port}`);
    assert.deepEqual(await named(message(url), never), notPublic);
  });

  test("a redirect is not followed", async () => {
    const before = receiver.received.length;
    receiver.answerWith((response) => response.writeHead(302, { location: receiver.url }).end());
    assert.deepEqual(await post(), { status: 302 });
    assert.equal(receiver.received.length, before + 1);
  });

  test("an endless body ends after 64 KiB", async () => {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    receiver.answerWith((response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) written += 16_384;
      };
      response.on("drain", more);
      response.on("close", () => closed.resolve());
      more();
    });
    assert.deepEqual(await post(), { status: 200 });
    await closed.promise;
    assert.ok(written < 64 * 1024 * 1024, `${written} bytes were read`);
  });

  test("a receiver that hangs, closes or is not there has no status", async () => {
    receiver.answerWith(() => {});
    assert.deepEqual(await post(receiver.url, 50), { status: null, reason: "timeout" });
    receiver.answerWith((response) => response.destroy());
    assert.deepEqual(await post(), { status: null, reason: "ECONNRESET" });
    const gone = await startReceiver();
    await gone.close();
    assert.deepEqual(await post(gone.url), { status: null, reason: "ECONNREFUSED" });
    const unresolved: Resolve = () => new Promise(() => {});
    const named = createWebhookPost({ allowed: [], resolve: unresolved, answerMs: 20 });
    const slow = await named(message("https://hooks.example.com/"), never);
    assert.deepEqual(slow, { status: null, reason: "timeout" });
  });

  test("stopping aborts a post and is not an answer", async () => {
    const stopping = new AbortController();
    receiver.answerWith(() => stopping.abort(new Error("stopping")));
    const stopped = createWebhookPost({ allowed: ["127.0.0.0/8"] });
    await assert.rejects(stopped(message(receiver.url), stopping.signal), /stopping/);
  });
});
