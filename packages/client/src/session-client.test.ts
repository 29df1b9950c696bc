import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { password, startTestService, type TestService } from "#test/service.ts";
import { ApiError, createKeyClient, createSessionClient, isError, UsageError } from "./index.ts";
import { createNodeFetch, type NodeFetch } from "./node.ts";

describe("the session client against a real service", () => {
  let service: TestService;
  let fetch: NodeFetch;
  before(async () => {
    service = await startTestService("sqlite", { settings: { IRONLEASE_AUTH_LIMITS: "off" } });
    fetch = createNodeFetch({ ca: service.ca });
  });
  after(async () => {
    fetch.close();
    await service.close();
  });

  const connect = () => createSessionClient({ baseUrl: service.url, fetch });
  const registered = async () => {
    const client = connect();
    const { username } = await service.register();
    await client.signIn({ username, password });
    return { client, username };
  };

  test("signing in keeps cookies and CSRF token, so reads and changes succeed", async () => {
    const { client, username } = await registered();
    const account = await client.readAccount();
    assert.deepEqual([account.username, account.balanceUsd], [username, 0]);
    const key = await client.createApiKey({ name: "ci", scope: "read" });
    assert.match(key.key, /^svk_/);
    const { apiKeys } = await client.listApiKeys();
    assert.deepEqual(
      apiKeys.map(({ id }) => id),
      [key.id],
    );
    await client.revokeApiKey({ id: key.id });
  });

  test("a new sign-in replaces cookies and CSRF token", async () => {
    const { client } = await registered();
    const other = await service.register();
    await client.signIn({ username: other.username, password });
    const address = await client.createDepositAddress({ asset: "BTC" });
    assert.equal(address.mode, "SIMULATED");
    assert.equal((await client.readAccount()).username, other.username);
  });

  test("signing out clears cookies and CSRF token", async () => {
    const { client } = await registered();
    await client.signOut();
    assert.equal(client.session.export(), undefined);
    await assert.rejects(client.readAccount(), { code: "authentication_required" });
  });

  test("an exported session can be imported into another client", async () => {
    const { client, username } = await registered();
    const text = JSON.stringify(client.session.export());
    const other = connect();
    other.session.import(JSON.parse(text));
    assert.equal((await other.readAccount()).username, username);
    await other.createDepositAddress({ asset: "LTC" });
  });

  test("a session of another service is rejected", () => {
    const saved = { origin: "https://other.example", username: "ada", csrfToken: "t" };
    assert.throws(
      () => connect().session.import({ ...saved, sessionCookie: "s", csrfCookie: "c" }),
      UsageError,
    );
  });

  test("an error has its code, its fields and its request id", async () => {
    const { client } = await registered();
    const order = { configId: "x", regionId: "y", osId: "z", term: "weekly", quantity: 0 } as const;
    const error: unknown = await client.placeOrder(order).catch((caught: unknown) => caught);
    assert.ok(isError(error, "placeOrder", "validation_failed"));
    assert.deepEqual(
      error.fields.map(({ field }) => field),
      ["quantity"],
    );
    assert.notEqual(error.requestId, "");
    assert.ok(!isError(error, "placeOrder", "insufficient_balance"));
    assert.ok(!isError(error, "requestWithdrawal"));
  });

  test("a key client reads what its scope allows and never sends a change", async () => {
    const { client } = await registered();
    const { key } = await client.createApiKey({ name: "reader", scope: "billing" });
    let sent = 0;
    const reader = createKeyClient({
      baseUrl: service.url,
      apiKey: key,
      scope: "billing",
      fetch: (url, init) => {
        sent += 1;
        return fetch(url, init);
      },
    });
    assert.equal((await reader.readLedger()).balanceUsd, 0);
    assert.equal(sent, 1);
    const untyped = reader as unknown as ReturnType<typeof connect>;
    await assert.rejects(untyped.requestWithdrawal({} as never), UsageError);
    await assert.rejects(untyped.listServers(), UsageError);
    await assert.rejects(untyped.readAccount(), UsageError);
    assert.equal(sent, 1);
  });

  test("an id that would change the path is not sent", async () => {
    const { client } = await registered();
    await assert.rejects(client.readServer({ id: "../me" }), UsageError);
    await assert.rejects(client.readServer({ id: ".." }), UsageError);
  });

  test("without a sign-in the service refuses the request", async () => {
    const error: unknown = await connect()
      .listServers()
      .catch((caught: unknown) => caught);
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, "authentication_required");
  });

  test("Node's own fetch sends nothing to a server with an untrusted certificate", async () => {
    const client = createSessionClient({ baseUrl: service.url });
    await assert.rejects(client.register({ username: "nobody", password }), {
      name: "ConnectionError",
    });
  });
});
