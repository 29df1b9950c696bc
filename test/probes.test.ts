import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { test } from "node:test";
import { sql, type RawBuilder } from "kysely";
import { ok } from "#server/kernel/result.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { startTestService } from "#test/service.ts";

forEachEngine((engine) => {
  test("probes need no sign-in, answer HEAD like GET, check Host and method, and exist on the operators' listener only", async () => {
    const service = await startTestService(engine);
    try {
      for (const path of ["/healthz", "/readyz"]) {
        const answer = await service.sendToDesk("GET", path);
        assert.deepEqual([answer.status, answer.json], [200, { status: "ok" }], path);
        assert.equal(answer.headers["cache-control"], "no-store");
      }
      for (const path of ["/healthz", "/readyz", "/metrics"]) {
        const head = await service.sendToDesk("HEAD", path);
        assert.deepEqual([head.status, head.text], [200, ""], path);
        const posted = await service.sendToDesk("POST", path);
        assert.deepEqual([posted.status, codeOf(posted)], [405, "method_not_allowed"], path);
        assert.equal(posted.headers.allow, "GET, HEAD");
        const strange = await service.sendToDesk("GET", path, {
          headers: { host: "evil.example" },
        });
        assert.equal(strange.status, 421, path);
        assert.equal((await service.send("GET", path)).status, 404, path);
      }
      const { headers } = await service.sendToDesk("GET", "/metrics");
      assert.equal(headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    } finally {
      await service.close();
    }
  });

  test("/readyz is 503 if the database lacks a migration, and 200 if a newer version has migrated it", async () => {
    const service = await startTestService(engine);
    try {
      const run = (statement: RawBuilder<unknown>) =>
        service.core.db.write(async (tx) => ok(await statement.execute(tx)));
      await run(sql`insert into schema_migrations values ('9999-of-the-future', 'digest', 0)`);
      assert.equal((await service.sendToDesk("GET", "/readyz")).status, 200);
      await run(
        sql`delete from schema_migrations where name in ('9999-of-the-future', '0001-access')`,
      );
      const ready = await service.sendToDesk("GET", "/readyz");
      assert.equal(ready.status, 503);
      assert.match(ready.json.error.message, /lacks 0001-access\. Run ironleased migrate/);
    } finally {
      await service.close();
    }
  });

  test("/readyz is 503 while the service drains requests before it stops", async () => {
    const service = await startTestService(engine);
    const { hostname, port } = new URL(service.url);
    const body = JSON.stringify({ username: "unknown-user", password: "a long pass phrase" });
    const slow = httpsRequest({
      hostname,
      port,
      ca: service.ca,
      method: "POST",
      path: "/api/v1/auth/login",
      headers: {
        "content-type": "application/json",
        "content-length": body.length,
        expect: "100-continue",
      },
    });
    const answered = once(slow, "response") as Promise<[IncomingMessage]>;
    slow.flushHeaders();
    // 100 Continue means that the service has admitted the request.
    await once(slow, "continue");
    const closing = service.close();
    const ready = await service.sendToDesk("GET", "/readyz");
    assert.deepEqual([ready.status, codeOf(ready)], [503, "service_unavailable"]);
    assert.equal(ready.json.error.message, "The service is stopping.");
    assert.equal((await service.sendToDesk("GET", "/healthz")).status, 200);
    slow.end(body);
    const [answer] = await answered;
    assert.equal(answer.statusCode, 401);
    answer.resume();
    await closing;
  });
});
