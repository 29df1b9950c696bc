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
  test("is retried with the same key, generated or given", async () => {
    for (const given of [undefined, "my-own-key"]) {
      const { client, sent } = scripted([reset, "silence", new Response("{"), accepted()]);
      assert.equal((await client.placeOrder(order, { idempotencyKey: given })).id, "ord_1");
      const keys = sent.map(({ headers }) => headers["idempotency-key"]);
      assert.equal(keys.length, 4);
      assert.deepEqual([...new Set(keys)], [given ?? keys[0]]);
    }
  });

  test("has an unknown outcome without a response, and reuses its key when called again", async () => {
    const { client, sent } = scripted([reset, reset, reset, reset, accepted()], { attempts: 4 });
    const error: unknown = await client.placeOrder(order).catch((caught: unknown) => caught);
    assert.ok(error instanceof OutcomeUnknown);
    assert.deepEqual([error.operation, error.check], ["placeOrder", "listOrders"]);
    await client.placeOrder(order);
    const keys = new Set(sent.map(({ headers }) => headers["idempotency-key"]));
    assert.deepEqual([...keys], [error.idempotencyKey]);
    await client.placeOrder(order);
    assert.notEqual(sent.at(-1)?.headers["idempotency-key"], error.idempotencyKey);
  });

  test("with a key is sent until its deadline while the service is down", async () => {
    const { client, sent } = scripted([unavailable()], { deadlineMs: 600_000 });
    await assert.rejects(client.placeOrder(order), OutcomeUnknown);
    // Pauses of at most 5 seconds, 2.5 of them on average.
    assert.ok(sent.length > 200, String(sent.length));
  });

  test("that never reached the service is sent four times and fails with the connection error", async () => {
    const refused = new TypeError("fetch failed", { cause: { syscall: "connect" } });
    const { client, sent } = scripted([refused]);
    await assert.rejects(client.placeOrder(order), ConnectionError);
    assert.equal(sent.length, 4);
  });

  test("with other fields does not reuse the key of an open write", async () => {
    const { client, sent } = scripted([reset, reset, reset, reset, accepted()], { attempts: 4 });
    await assert.rejects(client.placeOrder(order), OutcomeUnknown);
    await client.placeOrder({ ...order, quantity: 2 });
    assert.notEqual(sent.at(-1)?.headers["idempotency-key"], sent[0]?.headers["idempotency-key"]);
  });

  test("that is aborted after sending is unknown, with the reason as its cause", async () => {
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

  test("that cannot be retried is sent once and is unknown if its response is lost", async () => {
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

  test("that was never sent is always retried, and fails with a known outcome", async () => {
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

  test("with an invalid key is not sent", async () => {
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
  const hold = (id: string, amountUsd = -25.5, asset = "ETH") => ({
    id: `led_${id}`,
    createdAt: "2026-11-15T09:30:09.000Z",
    type: "WITHDRAWAL_HOLD",
    amountUsd,
    balanceAfterUsd: 0,
    description: `Withdrawal in ${asset}, under review`,
    reference: { kind: "withdrawal", id },
  });
  const ledger = (entries: readonly object[]) =>
    answer(200, { balanceUsd: 0, heldUsd: 0, entries });
  const used = (id: string | null) => {
    const reference = id === null ? null : { kind: "withdrawal", id };
    const record = { operation: "requestWithdrawal", createdAt: "2026-11-15T09:30:09.000Z" };
    const another = {
      ...record,
      operation: "placeOrder",
      reference: { kind: "order", id: "ord_1" },
    };
    return answer(200, { records: [another, { ...record, reference }] });
  };

  test("is recorded with its id when its response was lost and the retry conflicts", async () => {
    const holds = ledger([hold("wdr_other", -25), hold("wdr_new")]);
    const { client, sent } = scripted([reset, conflict(), used("wdr_new"), holds]);
    const outcome = await client.requestWithdrawal(request);
    const idempotencyKey = sent[0]?.headers["idempotency-key"];
    const recorded = { status: "RECORDED", id: "wdr_new", idempotencyKey };
    assert.deepEqual(outcome, { ...recorded, isVerified: true });
  });

  test("is recorded with its id when it is beyond the end of the ledger", async () => {
    const { client } = scripted([reset, conflict(), used("wdr_new"), ledger([])]);
    assert.equal((await client.requestWithdrawal(request)).id, "wdr_new");
  });

  test("is recorded without an id when the service does not name it", async () => {
    for (const look of [used(null), refusal(404, "not_found"), reset] as const) {
      const { client } = scripted([reset, conflict(), look]);
      const outcome = await client.requestWithdrawal(request);
      assert.deepEqual([outcome.status, outcome.id], ["RECORDED", null]);
    }
  });

  test("is refused when its first attempt conflicts and the caller gave the key", async () => {
    const idempotencyKey = "used-before";
    const { client, sent } = scripted([conflict()]);
    await assert.rejects(client.requestWithdrawal(request, { idempotencyKey }), {
      code: "idempotency_conflict",
      idempotencyKey,
    });
    assert.equal(sent.length, 1);
  });

  test("is recorded at the first conflict when the caller sets resend", async () => {
    const { client } = scripted([conflict(), used("wdr_old"), ledger([hold("wdr_old")])]);
    const options = { idempotencyKey: "sent-before", resend: true };
    const outcome = await client.requestWithdrawal(request, options);
    const recorded = { status: "RECORDED", id: "wdr_old", idempotencyKey: "sent-before" };
    assert.deepEqual(outcome, { ...recorded, isVerified: false });
  });

  test("with a given key is a conflict when the key's withdrawal has another amount or asset", async () => {
    const idempotencyKey = "another-withdrawal";
    for (const other of [hold("wdr_1", -25), hold("wdr_1", -25.5, "BTC")]) {
      for (const resend of [true, undefined]) {
        const before = resend === true ? [] : [reset];
        const { client } = scripted([...before, conflict(), used("wdr_1"), ledger([other])]);
        const options = { idempotencyKey, resend };
        const code = "idempotency_conflict";
        await assert.rejects(client.requestWithdrawal(request, options), { code, idempotencyKey });
      }
    }
  });

  test("called again without its key is verified only if the client generated the key", async () => {
    for (const given of [undefined, "made-elsewhere"]) {
      const { client } = scripted([reset, reset, reset, reset, conflict(), reset], {
        attempts: 4,
      });
      const first = client.requestWithdrawal(request, { idempotencyKey: given });
      await assert.rejects(first, OutcomeUnknown);
      const outcome = await client.requestWithdrawal(request);
      assert.ok(outcome.status === "RECORDED");
      assert.equal(outcome.isVerified, given === undefined);
    }
  });

  test("with an unknown outcome is recorded when its key is given again, with or without resend", async () => {
    const { client } = scripted(
      [reset, reset, reset, reset, conflict(), used("wdr_1"), ledger([])],
      { attempts: 4 },
    );
    const error: unknown = await client
      .requestWithdrawal(request)
      .catch((caught: unknown) => caught);
    assert.ok(error instanceof OutcomeUnknown);
    const { idempotencyKey } = error;
    assert.equal((await client.requestWithdrawal(request, { idempotencyKey })).status, "RECORDED");
  });

  test("that is refused for insufficient balance after a lost response was not recorded", async () => {
    const { client } = scripted([reset, refusal(409, "insufficient_balance")]);
    await assert.rejects(client.requestWithdrawal(request), { code: "insufficient_balance" });
  });

  test("whose session ends after a lost response is unknown", async () => {
    const { client } = scripted([reset, refusal(401, "authentication_required")]);
    await assert.rejects(client.requestWithdrawal(request), OutcomeUnknown);
  });
});

describe("a request without a client method", () => {
  const change = { method: "POST", path: "/api/v2/things?dry=1", body: { name: "a" } } as const;

  test("returns the response of the service, as JSON or as text", async () => {
    const { client, sent } = scripted([answer(201, { id: "thg_1" }), new Response("plain")]);
    assert.deepEqual(await client.request(change), { id: "thg_1" });
    assert.equal(sent[0]?.body, '{"name":"a"}');
    assert.equal(await client.request({ method: "GET", path: "/docs" }), "plain");
  });

  test("is sent once as a change without a key, and retried with one", async () => {
    const without = scripted([reset, accepted()]);
    await assert.rejects(without.client.request(change), OutcomeUnknown);
    assert.equal(without.sent.length, 1);
    const { client, sent } = scripted([reset, accepted()]);
    await client.request(change, { idempotencyKey: "a-key-of-mine" });
    const keys = sent.map(({ headers }) => headers["idempotency-key"]);
    assert.deepEqual(keys, ["a-key-of-mine", "a-key-of-mine"]);
  });

  test("is never sent to another host", async () => {
    const { client, sent } = scripted([accepted()]);
    for (const path of ["//evil.example/", "https://evil.example/", "/\\evil.example", "x"]) {
      await assert.rejects(client.request({ method: "GET", path }), { name: "UsageError" });
    }
    assert.equal(sent.length, 0);
  });
});
