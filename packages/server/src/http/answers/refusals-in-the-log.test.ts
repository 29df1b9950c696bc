import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestService, type TestService } from "#test/service.ts";

describe("refusals in the log", () => {
  let service: TestService;
  before(async () => {
    service = await startTestService("sqlite", {
      settings: { IRONLEASE_TRUST_PROXY: "127.0.0.1" },
    });
  });
  after(() => service.close());

  const from = { "x-forwarded-for": "203.0.113.9" };
  const lineOf = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) => {
    const lines = service.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    return lines.find((line) => line["requestId"] === headers["x-request-id"]);
  };

  test("refused access is logged with its code, the caller and the address", async () => {
    const support = await service.operator("support");
    const account = await service.register();
    const path = "/operator/v1/catalogue";
    const body = { configurations: [], regions: [], operatingSystems: [], discounts: [] };
    const forbidden = await support.send("PUT", path, { body, headers: from });
    const { operation, code, actor, ipAddress } = lineOf(forbidden) ?? {};
    assert.deepEqual(
      { operation, code, actor, ipAddress },
      {
        operation: "replaceCatalogue",
        code: "role_forbidden",
        actor: support.operatorId,
        ipAddress: "203.0.113.9",
      },
    );
    const forged = await account.send("POST", "/api/v1/auth/logout", {
      headers: { ...from, "x-csrf-token": "forged" },
    });
    assert.equal(lineOf(forged)?.["code"], "csrf_failed");
    assert.match(String(lineOf(forged)?.["actor"]), /^acc_/);
    const signedOut = await service.send("GET", "/api/v1/me", { headers: from });
    assert.equal(lineOf(signedOut)?.["ipAddress"], "203.0.113.9");
    assert.equal(lineOf(signedOut)?.["actor"], undefined);
  });

  test("other refusals are logged with the code only, and successes without a code", async () => {
    const missing = lineOf(await service.send("GET", "/api/v1/nothing", { headers: from }));
    assert.equal(missing?.["code"], "not_found");
    assert.ok(!("ipAddress" in (missing ?? {})));
    const good = lineOf(await service.send("GET", "/api/health"));
    assert.ok(good !== undefined && !("code" in good));
  });

  test("request headers cannot inject a log line", async () => {
    const headers = { "x-forwarded-for": '203.0.113.9"}\\n{"level":30', "user-agent": "a\\tb" };
    const before = service.logged.length;
    await service.send("GET", "/api/v1/me", { headers });
    for (const line of service.logged.slice(before)) {
      assert.equal(line.trimEnd().split("\n").length, 1);
      assert.doesNotThrow(() => void JSON.parse(line));
    }
  });
});
