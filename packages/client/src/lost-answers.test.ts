import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answer, refusal, scripted } from "#test/scripted-service.ts";
import { ConnectionError, OutcomeUnknown } from "./index.ts";

const unavailable = () => refusal(503, "service_unavailable");
const reset = new Error("reset");
const order = {
  configId: "metal-s",
  regionId: "fra",
  osId: "debian-13",
  term: "monthly",
  quantity: 1,
} as const;
const accepted = () =>
  answer(201, { id: "ord_1", status: "ACCEPTED", totalUsd: 1, serverIds: ["srv_1"] });

describe("a write", () => {
  test("is sent again with its one key, made or given", async () => {
    for (const given of [undefined, "my-own-key"]) {
      const { client, sent } = scripted([reset, "silence", new Response("{"), accepted()]);
      assert.equal((await client.placeOrder(order, { idempotencyKey: given })).id, "ord_1");
      const keys = sent.map(({ headers }) => headers["idempotency-key"]);
      assert.equal(keys.length, 4);
      assert.deepEqual([...new Set(keys)], [given ?? keys[0]]);
    }
  });

  test("ends as unknown when nothing is heard, and called again has the key that it had", async () => {
    const { client, sent } = scripted([reset, reset, reset, reset, accepted()]);
    const error: unknown = await client.placeOrder(order).catch((caught: unknown) => caught);
    assert.ok(error instanceof OutcomeUnknown);
    assert.deepEqual([error.operation, error.check], ["placeOrder", "listOrders"]);
    await client.placeOrder(order);
    const keys = new Set(sent.map(({ headers }) => headers["idempotency-key"]));
    assert.deepEqual([...keys], [error.idempotencyKey]);
    await client.placeOrder(order);
    assert.notEqual(sent.at(-1)?.headers["idempotency-key"], error.idempotencyKey);
  });

  test("of other details does not take an open one's key", async () => {
    const { client, sent } = scripted([reset, reset, reset, reset, accepted()]);
    await assert.rejects(client.placeOrder(order), OutcomeUnknown);
    await client.placeOrder({ ...order, quantity: 2 });
    assert.notEqual(sent.at(-1)?.headers["idempotency-key"], sent[0]?.headers["idempotency-key"]);
  });

  test("that is aborted under way is unknown, with the reason as its cause", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const { client } = scripted([], {
      fetch: () => {
        controller.abort(reason);
        return new Promise(() => undefined);
      },
    });
    await assert.rejects(client.placeOrder(order, { signal: controller.signal }), (error) => {
      assert.ok(error instanceof OutcomeUnknown);
      assert.equal(error.cause, reason);
      return true;
    });
  });

  test("without a key that cannot be repeated is sent once and is unknown when its answer is lost", async () => {
    for (const trouble of [reset, "silence", unavailable(), new Response("{")] as const) {
      const { client, sent } = scripted([trouble]);
      await assert.rejects(client.createApiKey({ name: "ci", scope: "read" }), (error) => {
        assert.ok(error instanceof OutcomeUnknown);
        assert.deepEqual([error.check, error.idempotencyKey], ["listApiKeys", undefined]);
        return true;
      });
      assert.equal(sent.length, 1);
    }
  });

  test("that never left is sent again, whatever it is, and its failure is no mystery", async () => {
    const refused = Object.assign(new Error("refused"), { syscall: "connect" });
    const wrapped = new TypeError("fetch failed", { cause: refused });
    const both = new TypeError("fetch failed", {
      cause: new AggregateError([refused, refused], "both refused"),
    });
    for (const trouble of [refused, wrapped, both]) {
      const { client, sent } = scripted([trouble]);
      await assert.rejects(client.createApiKey({ name: "ci", scope: "read" }), ConnectionError);
      assert.equal(sent.length, 4);
    }
  });

  test("with a bad key of the caller's is not sent", async () => {
    const { client, sent } = scripted([accepted()]);
    for (const idempotencyKey of ["short", "with space", "x".repeat(101), "näme-with-ä"]) {
      await assert.rejects(client.placeOrder(order, { idempotencyKey }), { name: "UsageError" });
    }
    assert.equal(sent.length, 0);
  });
});

describe("a withdrawal", () => {
  const request = { asset: "ETH", destination: "0xabc", usd: "25.50" } as const;
  const conflict = () => refusal(409, "idempotency_conflict");
  const hold = (id: string, createdAt: string, amountUsd = -25.5, asset = "ETH") => ({
    ...{ id: `led_${id}`, createdAt, type: "WITHDRAWAL_HOLD", amountUsd, balanceAfterUsd: 0 },
    description: `Withdrawal in ${asset}, under review`,
    reference: { kind: "withdrawal", id },
  });
  const date = "Sun, 15 Nov 2026 09:30:10 GMT";
  const ledger = (entries: readonly object[]) =>
    answer(200, { balanceUsd: 0, heldUsd: 0, entries }, { date });

  test("whose answer was lost and whose resend is a conflict is recorded, with its id", async () => {
    const entries = [
      hold("wdr_new", "2026-11-15T09:30:09.000Z"),
      hold("wdr_other", "2026-11-15T09:30:08.500Z", -25),
      hold("wdr_old", "2026-11-15T09:00:00.000Z"),
    ];
    const { client, sent } = scripted([reset, conflict(), ledger(entries)]);
    const outcome = await client.requestWithdrawal(request);
    const idempotencyKey = sent[0]?.headers["idempotency-key"];
    const recorded = { status: "RECORDED", id: "wdr_new", idempotencyKey };
    assert.deepEqual(outcome, { ...recorded, isVerified: true });
  });

  test("of which the ledger shows two that fit is recorded without an id", async () => {
    const at = "2026-11-15T09:30:09.000Z";
    const { client } = scripted([
      reset,
      conflict(),
      ledger([hold("wdr_1", at), hold("wdr_2", at)]),
    ]);
    assert.equal((await client.requestWithdrawal(request)).id, null);
  });

  test("that may be out of the ledger's sight is recorded without an id", async () => {
    const entries = Array.from({ length: 100 }, (_, index) =>
      hold(`wdr_${index}`, "2026-11-15T09:30:09.900Z", index === 0 ? -25.5 : -1),
    );
    const { client } = scripted([reset, conflict(), ledger(entries)]);
    assert.equal((await client.requestWithdrawal(request)).id, null);
  });

  test("is recorded although the ledger cannot be read", async () => {
    const { client } = scripted([reset, conflict(), reset]);
    assert.equal((await client.requestWithdrawal(request)).status, "RECORDED");
  });

  test("whose very first sending is a conflict is refused when the key is the caller's", async () => {
    const idempotencyKey = "used-before";
    const { client, sent } = scripted([conflict()]);
    await assert.rejects(client.requestWithdrawal(request, { idempotencyKey }), {
      code: "idempotency_conflict",
      idempotencyKey,
    });
    assert.equal(sent.length, 1);
  });

  test("that the caller says was sent before is recorded at the first conflict", async () => {
    const entries = [hold("wdr_old", "2026-11-14T00:00:00.000Z")];
    const { client } = scripted([conflict(), ledger(entries)]);
    const options = { idempotencyKey: "sent-before", resend: true };
    const outcome = await client.requestWithdrawal(request, options);
    const recorded = { status: "RECORDED", id: "wdr_old", idempotencyKey: "sent-before" };
    assert.deepEqual(outcome, { ...recorded, isVerified: false });
  });

  test("with a key of the caller's is a conflict when the whole ledger shows no such hold", async () => {
    const at = "2026-11-15T09:30:09.000Z";
    const others = [hold("wdr_amount", at, -25), hold("wdr_asset", at, -25.5, "BTC")];
    const idempotencyKey = "another-withdrawal";
    for (const [script, resend] of [
      [[conflict(), ledger(others)], true],
      [[reset, conflict(), ledger(others)], undefined],
    ] as const) {
      const { client, sent } = scripted(script);
      const options = { idempotencyKey, resend };
      const code = "idempotency_conflict";
      await assert.rejects(client.requestWithdrawal(request, options), { code, idempotencyKey });
      assert.equal(sent.length, script.length);
    }
  });

  test("with a key of the caller's is no conflict while a hold of it may be out of sight", async () => {
    const entries = Array.from({ length: 100 }, (_, index) =>
      hold(`wdr_${index}`, "2026-11-15T09:30:09.900Z", -1),
    );
    const options = { idempotencyKey: "sent-before", resend: true };
    const { client } = scripted([conflict(), ledger(entries)]);
    const { status, id, ...others } = await client.requestWithdrawal(request, options);
    assert.deepEqual([status, id], ["RECORDED", null]);
    assert.deepEqual(others, { idempotencyKey: "sent-before", isVerified: false });
  });

  test("recorded before the machine slept counts, although the client's clock stood still", async () => {
    const entries = [hold("wdr_before", "2026-11-15T08:00:00.000Z")];
    const { client } = scripted([reset, conflict(), ledger(entries)]);
    const outcome = await client.requestWithdrawal(request, { idempotencyKey: "before-sleep" });
    assert.deepEqual([outcome.status, outcome.id], ["RECORDED", null]);
  });

  test("called again without its key is verified only if the client made that key", async () => {
    for (const given of [undefined, "made-elsewhere"]) {
      const { client } = scripted([reset, reset, reset, reset, conflict(), reset]);
      const first = client.requestWithdrawal(request, { idempotencyKey: given });
      await assert.rejects(first, OutcomeUnknown);
      const outcome = await client.requestWithdrawal(request);
      assert.ok(outcome.status === "RECORDED");
      assert.equal(outcome.isVerified, given === undefined);
    }
  });

  test("whose outcome was unknown is recorded when its key is given again, said to be a resend or not", async () => {
    const { client } = scripted([reset, reset, reset, reset, conflict(), ledger([])]);
    const error: unknown = await client
      .requestWithdrawal(request)
      .catch((caught: unknown) => caught);
    assert.ok(error instanceof OutcomeUnknown);
    const { idempotencyKey } = error;
    assert.equal((await client.requestWithdrawal(request, { idempotencyKey })).status, "RECORDED");
  });

  test("that is refused for its funds after a lost answer was not recorded", async () => {
    const { client } = scripted([reset, refusal(409, "insufficient_balance")]);
    await assert.rejects(client.requestWithdrawal(request), { code: "insufficient_balance" });
  });

  test("whose session ends after a lost answer is unknown", async () => {
    const { client } = scripted([reset, refusal(401, "authentication_required")]);
    await assert.rejects(client.requestWithdrawal(request), OutcomeUnknown);
  });
});

describe("a request that the client has no method for", () => {
  const change = { method: "POST", path: "/api/v2/things?dry=1", body: { name: "a" } } as const;

  test("is answered as the service answers, in JSON or in text", async () => {
    const { client, sent } = scripted([answer(201, { id: "thg_1" }), new Response("plain")]);
    assert.deepEqual(await client.request(change), { id: "thg_1" });
    assert.equal(sent[0]?.body, '{"name":"a"}');
    assert.equal(await client.request({ method: "GET", path: "/docs" }), "plain");
  });

  test("is sent once when it is a change without a key, and again with one", async () => {
    const without = scripted([reset, accepted()]);
    await assert.rejects(without.client.request(change), OutcomeUnknown);
    assert.equal(without.sent.length, 1);
    const { client, sent } = scripted([reset, accepted()]);
    await client.request(change, { idempotencyKey: "a-key-of-mine" });
    const keys = sent.map(({ headers }) => headers["idempotency-key"]);
    assert.deepEqual(keys, ["a-key-of-mine", "a-key-of-mine"]);
  });

  test("never leaves for another host", async () => {
    const { client, sent } = scripted([accepted()]);
    for (const path of ["//evil.example/", "https://evil.example/", "/\\evil.example", "x"]) {
      await assert.rejects(client.request({ method: "GET", path }), { name: "UsageError" });
    }
    assert.equal(sent.length, 0);
  });
});
