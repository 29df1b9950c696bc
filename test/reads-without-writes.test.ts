import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { ok } from "#server/kernel/result.ts";

const hour = 3_600_000;

forEachEngine((engine) => {
  let service: TestService;
  before(async () => {
    service = await startTestService(engine);
  });
  after(() => service.close());

  test("reads succeed while the last use of a session or key cannot be stored", async () => {
    const ada = await service.register();
    const operator = await service.operator("support");
    const created = await ada.send("POST", "/api/v1/api-keys", {
      body: { name: "reader", scope: "read" },
    });
    const authorization = `Bearer ${created.json.key}`;
    const release = await lockSessionsAndKeys();
    try {
      service.clock.advance(hour);
      assert.equal((await ada.send("GET", "/api/v1/me")).status, 200);
      assert.equal((await operator.send("GET", "/operator/v1/me")).status, 200);
      const byKey = await service.send("GET", "/api/v1/servers", { headers: { authorization } });
      assert.equal(byKey.status, 200);
    } finally {
      await release();
    }
    await service.core.lastUse.settled();
    const { sessions } = (await ada.send("GET", "/api/v1/sessions")).json;
    assert.equal(Date.parse(sessions[0].lastSeenAt), service.clock.now());
    const { apiKeys } = (await ada.send("GET", "/api/v1/api-keys")).json;
    assert.equal(Date.parse(apiKeys[0].lastUsedAt), service.clock.now());
  });

  test("a session in use does not expire while its last use cannot be stored", async () => {
    const ada = await service.register();
    const idle = await service.register();
    const release = await lockSessionsAndKeys();
    try {
      for (let hours = 1; hours <= 5; hours += 1) {
        service.clock.advance(hour);
        assert.equal((await ada.send("GET", "/api/v1/me")).status, 200, `after ${hours} hours`);
      }
      assert.equal((await idle.send("GET", "/api/v1/me")).status, 401);
    } finally {
      await release();
    }
    await service.core.lastUse.settled();
    assert.equal((await ada.send("GET", "/api/v1/me")).status, 200);
  });

  test("an unstored last use does not keep an ended session alive", async () => {
    const ada = await service.register();
    const release = await lockSessionsAndKeys();
    try {
      service.clock.advance(hour);
      assert.equal((await ada.send("GET", "/api/v1/me")).status, 200);
    } finally {
      await release();
    }
    await ada.send("POST", "/api/v1/auth/logout");
    assert.equal((await ada.send("GET", "/api/v1/me")).status, 401);
  });

  /** On SQLite the open transaction alone blocks every other write. */
  async function lockSessionsAndKeys(): Promise<() => Promise<unknown>> {
    const locked = Promise.withResolvers<void>();
    const unlocked = Promise.withResolvers<void>();
    const write = service.core.db.write(async (tx) => {
      for (const table of ["sessions", "operator_sessions", "api_keys"] as const) {
        await tx.selectFrom(table).select("id").forUpdate().execute();
      }
      locked.resolve();
      await unlocked.promise;
      return ok();
    });
    await locked.promise;
    return () => {
      unlocked.resolve();
      return write;
    };
  }
});
