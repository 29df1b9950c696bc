import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { startTestService, type TestService } from "#test/service.ts";

const path = "/api/v1/api-keys";

forEachEngine((engine) => {
  describe("API keys", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine);
    });
    after(() => service.close());

    const use = (key: string) =>
      service.send("GET", "/api/v1/me", { headers: { authorization: `Bearer ${key}` } });

    test("are created with 201, shown once, and listed without their value", async () => {
      const ada = await service.register();
      const { status, json } = await ada.send("POST", path, {
        body: { name: "ci", scope: "servers" },
      });
      assert.equal(status, 201);
      assert.deepEqual(Object.keys(json), [
        "id",
        "name",
        "scope",
        "prefix",
        "createdAt",
        "expiresAt",
        "lastUsedAt",
        "allowedNetworks",
        "key",
      ]);
      assert.equal(json.allowedNetworks, null);
      assert.match(json.key, /^svk_[0-9A-Za-z]{36}$/);
      assert.equal(json.prefix, json.key.slice(0, 8));
      const { key, ...record } = json;
      const listed = await ada.send("GET", path);
      assert.deepEqual(listed.json, { apiKeys: [record] });
      assert.ok(!listed.text.includes(key));
    });

    test("using a key updates lastUsedAt, at most once a minute", async () => {
      const ada = await service.register();
      const { json } = await ada.send("POST", path, { body: { name: "ci", scope: "read" } });
      const lastUsedAt = async () => {
        await service.core.lastUse.settled();
        return (await ada.send("GET", path)).json.apiKeys[0].lastUsedAt;
      };
      assert.equal(await lastUsedAt(), null);
      assert.equal(codeOf(await use(json.key)), "insufficient_scope");
      const first = await lastUsedAt();
      assert.equal(first, new Date(service.clock.now()).toISOString());
      service.clock.advance(59_999);
      await use(json.key);
      assert.equal(await lastUsedAt(), first);
      service.clock.advance(1);
      await use(json.key);
      assert.notEqual(await lastUsedAt(), first);
    });

    test("a revoked key fails on the next request", async () => {
      const ada = await service.register();
      const { json } = await ada.send("POST", path, { body: { name: "ci", scope: "read" } });
      assert.equal(codeOf(await use(json.key)), "insufficient_scope");
      assert.equal((await ada.send("DELETE", `${path}/${json.id}`)).status, 204);
      const answer = await use(json.key);
      assert.equal(codeOf(answer), "authentication_required");
      assert.equal(answer.headers["www-authenticate"], "Bearer");
      assert.equal((await ada.send("DELETE", `${path}/${json.id}`)).status, 404);
    });

    test("a key with networks works only from them, whatever an untrusted proxy reports", async () => {
      const ada = await service.register();
      const keyFor = async (allowedNetworks: readonly string[]) => {
        const body = { name: "ci", scope: "read", allowedNetworks };
        return (await ada.send("POST", path, { body })).json;
      };
      const local = await keyFor(["203.0.113.7/24", "127.0.0.1", "127.0.0.1/32", "::1"]);
      assert.deepEqual(local.allowedNetworks, ["203.0.113.0/24", "127.0.0.1/32", "::1/128"]);
      assert.equal(codeOf(await use(local.key)), "insufficient_scope");
      const elsewhere = await keyFor(["203.0.113.0/24", "2001:db8::/32"]);
      assert.equal(codeOf(await use(elsewhere.key)), "authentication_required");
      const authorization = `Bearer ${elsewhere.key}`;
      const forged = await service.send("GET", "/api/v1/me", {
        headers: { authorization, "x-forwarded-for": "203.0.113.7" },
      });
      assert.equal(codeOf(forged), "authentication_required");
      await service.core.lastUse.settled();
      const { apiKeys } = (await ada.send("GET", path)).json;
      assert.equal(apiKeys[0].lastUsedAt, null, "a refused use is no use");
      assert.deepEqual(apiKeys[0].allowedNetworks, ["203.0.113.0/24", "2001:db8::/32"]);
    });

    test("text that is no network is 400 and named", async () => {
      const ada = await service.register();
      for (const bad of [
        "",
        "example.com",
        "10.0.0.0/33",
        "127.1",
        "010.0.0.1",
        "::1/129",
        "1.2.3.4/",
      ]) {
        const body = { name: "ci", scope: "read", allowedNetworks: ["127.0.0.1", bad] };
        const answer = await ada.send("POST", path, { body });
        assert.equal(codeOf(answer), "validation_failed", bad);
        const [{ field, message }] = answer.json.error.fields;
        assert.equal(field, "allowedNetworks");
        assert.ok(String(message).includes(`"${bad}" is neither`), message);
      }
      for (const allowedNetworks of [[], Array.from({ length: 21 }, (_, i) => `10.0.0.${i}`)]) {
        const body = { name: "ci", scope: "read", allowedNetworks };
        assert.equal(codeOf(await ada.send("POST", path, { body })), "validation_failed");
      }
    });

    test("a key fails once it has expired", async () => {
      const ada = await service.register();
      const expiresAt = new Date(service.clock.now() + 60_000).toISOString();
      const { json } = await ada.send("POST", path, {
        body: { name: "ci", scope: "read", expiresAt },
      });
      assert.equal(json.expiresAt, expiresAt);
      service.clock.advance(59_999);
      assert.equal(codeOf(await use(json.key)), "insufficient_scope");
      service.clock.advance(1);
      assert.equal(codeOf(await use(json.key)), "authentication_required");
    });

    test("the 51st valid key is 409 limit_reached, even among 60 concurrent requests", async () => {
      const ada = await service.register();
      const create = (body: object = {}) =>
        ada.send("POST", path, { body: { name: "many", scope: "read", ...body } });
      const answers = await Promise.all(Array.from({ length: 60 }, () => create()));
      assert.equal(answers.filter((answer) => answer.status === 201).length, 50);
      assert.equal(answers.filter((answer) => codeOf(answer) === "limit_reached").length, 10);
      const { json } = await ada.send("GET", path);
      assert.equal(json.apiKeys.length, 50);
      await ada.send("DELETE", `${path}/${json.apiKeys[0].id}`);
      assert.equal(
        (await create({ expiresAt: new Date(service.clock.now() + 1).toISOString() })).status,
        201,
      );
      assert.equal((await create()).status, 409);
      service.clock.advance(1);
      assert.equal((await create()).status, 201, "an expired key makes room");
      const eve = await service.register();
      const another = await eve.send("POST", path, { body: { name: "first", scope: "read" } });
      assert.equal(another.status, 201, "other accounts' keys do not count");
    });

    test("another account's key and an unknown one get the same 404", async () => {
      const [ada, eve] = [await service.register(), await service.register()];
      const { json } = await ada.send("POST", path, { body: { name: "ci", scope: "read" } });
      const foreign = await eve.send("DELETE", `${path}/${json.id}`);
      const unknown = await eve.send("DELETE", `${path}/key_01hzzzzzzzzzzzzzzzzzzzzzzz`);
      assert.equal(foreign.status, 404);
      delete foreign.json.error.requestId;
      delete unknown.json.error.requestId;
      assert.deepEqual(foreign.json, unknown.json);
      assert.equal(codeOf(await use(json.key)), "insufficient_scope");
    });

    const bad: [string, object, string][] = [
      ["no name", { scope: "read" }, "name"],
      ["an empty name", { name: "", scope: "read" }, "name"],
      ["a name of 65 characters", { name: "x".repeat(65), scope: "read" }, "name"],
      ["an unknown scope", { name: "x", scope: "write" }, "scope"],
      ["several scopes", { name: "x", scope: ["read"] }, "scope"],
      [
        "an expiry in the past",
        { name: "x", scope: "read", expiresAt: "2020-01-01T00:00:00.000Z" },
        "expiresAt",
      ],
      [
        "an expiry on a day that does not exist",
        { name: "x", scope: "read", expiresAt: "2030-02-31T00:00:00.000Z" },
        "expiresAt",
      ],
      [
        "an expiry in another time zone",
        { name: "x", scope: "read", expiresAt: "2030-02-01T00:00:00+02:00" },
        "expiresAt",
      ],
      ["an expiry that is a number", { name: "x", scope: "read", expiresAt: 1 }, "expiresAt"],
    ];
    test("invalid requests are 400 with the name of the field", async () => {
      const ada = await service.register();
      for (const [what, body, field] of bad) {
        const answer = await ada.send("POST", path, { body });
        assert.equal(codeOf(answer), "validation_failed", what);
        assert.equal(answer.json.error.fields[0].field, field, what);
      }
    });
  });
});
