import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answer, refusal, scripted } from "#test/scripted-service.ts";
import { ApiError, ConnectionError, TimeoutError } from "./index.ts";

const servers = () => answer(200, { servers: [] });
const unavailable = () => refusal(503, "service_unavailable");
const reset = new Error("reset");

describe("a read", () => {
  test("is retried after a reset, a timeout, an outage or an unreadable response", async () => {
    for (const trouble of [
      reset,
      "silence",
      unavailable(),
      new Response("<h1>Oops</h1>"),
    ] as const) {
      const { client, sent } = scripted([trouble, servers()]);
      assert.deepEqual(await client.listServers(), { servers: [] });
      assert.equal(sent.length, 2);
    }
  });

  test("is sent at most four times with increasing waits, and fails with the last error", async () => {
    const { client, sent, waits } = scripted([reset]);
    await assert.rejects(client.listServers(), ConnectionError);
    assert.equal(sent.length, 4);
    assert.deepEqual(waits, [100, 200, 400]);
    await assert.rejects(scripted(["silence"]).client.listServers(), TimeoutError);
    await assert.rejects(scripted([unavailable()]).client.listServers(), {
      code: "service_unavailable",
    });
  });

  test("that the service refuses is not retried", async () => {
    const { client, sent } = scripted([refusal(401, "authentication_required"), servers()]);
    await assert.rejects(client.listServers(), ApiError);
    assert.equal(sent.length, 1);
  });

  test("waits for Retry-After, or fails immediately if its deadline is earlier", async () => {
    const limited = refusal(429, "rate_limited", { "retry-after": "7" });
    const patient = scripted([limited, servers()]);
    await patient.client.listServers();
    assert.deepEqual(patient.waits, [7_100]);
    const hopeless = scripted([refusal(429, "rate_limited", { "retry-after": "60" }), servers()]);
    const refused = { code: "rate_limited", retryAfterSeconds: 60 };
    await assert.rejects(hopeless.client.listServers(), refused);
    assert.deepEqual([hopeless.sent.length, hopeless.waits], [1, []]);
  });

  test("respects the Retry-After of a proxy", async () => {
    const page = new Response("busy", { status: 503, headers: { "retry-after": "3" } });
    const { client, waits } = scripted([page, servers()]);
    await client.listServers();
    assert.deepEqual(waits, [3_100]);
  });

  test("is retried only within the shared retry budget", async () => {
    const { client, sent } = scripted([reset]);
    await Promise.allSettled(Array.from({ length: 100 }, () => client.listServers()));
    assert.equal(sent.length, 120);
  });

  test("that is aborted rejects with the signal's reason, sent or not", async () => {
    const { client, sent } = scripted(["silence"], { timeoutMs: 1 });
    const reason = new Error("enough");
    await assert.rejects(client.listServers({}, { signal: AbortSignal.abort(reason) }), reason);
    assert.equal(sent.length, 0);
    const controller = new AbortController();
    const pending = scripted([reset], {
      fetch: () => {
        controller.abort(reason);
        return Promise.reject(reset);
      },
    }).client.listServers({}, { signal: controller.signal });
    await assert.rejects(pending, reason);
  });
});

describe("signing in", () => {
  const ada = { username: "ada", password: "a long pass phrase" };
  const limited = refusal(429, "rate_limited", { "retry-after": "900" });

  test("is blocked until Retry-After has passed, and reports the remaining wait", async () => {
    const { client, sent, advance } = scripted([limited]);
    await assert.rejects(client.signIn(ada), { code: "rate_limited", retryAfterSeconds: 900 });
    advance(300_000);
    await assert.rejects(client.signIn(ada), { code: "rate_limited", retryAfterSeconds: 600 });
    assert.equal(sent.length, 1);
    await assert.rejects(client.signIn({ ...ada, username: "bob" }), { code: "rate_limited" });
    assert.equal(sent.length, 2);
    advance(600_000);
    await assert.rejects(client.signIn(ada), { code: "rate_limited", retryAfterSeconds: 900 });
    assert.equal(sent.length, 3);
  });

  test("with only one of the two cookies fails", async () => {
    const half = answer(200, { username: "ada", csrfToken: "t" });
    half.headers.append("set-cookie", "__Host-svc-session=s; Secure");
    const { client } = scripted([half]);
    await assert.rejects(client.signIn(ada), ConnectionError);
    assert.equal(client.session.export(), undefined);
  });
});

test("no error contains a password, a cookie, a token or a destination", async () => {
  const secrets = ["hunter2-hunter2", "cookie-value", "token-value", "0xsecret"];
  const { client } = scripted([reset]);
  client.session.import({
    origin: "https://rent.example",
    username: "ada",
    csrfToken: "token-value",
    sessionCookie: "cookie-value",
    csrfCookie: "cookie-value",
  });
  const errors = await Promise.all(
    [
      client.signIn({ username: "ada", password: "hunter2-hunter2" }),
      client.changePassword({ currentPassword: "hunter2-hunter2", newPassword: "hunter2-hunter2" }),
      client.requestWithdrawal({ asset: "ETH", destination: "0xsecret", usd: 1 }),
      client.readServer({ id: "../0xsecret" }),
    ].map((call: Promise<unknown>) => call.catch((error: unknown) => error)),
  );
  for (const error of errors) {
    assert.ok(error instanceof Error);
    const shown = `${error.message} ${JSON.stringify(error)} ${error.stack}`;
    for (const secret of secrets) assert.ok(!shown.includes(secret), shown);
  }
});
