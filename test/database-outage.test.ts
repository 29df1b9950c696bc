import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { proxyTo } from "./engine-conformance/interruptible-proxy.ts";
import { codeOf } from "#test/https-client.ts";
import { startTestService } from "#test/service.ts";
import { createMigratedDatabase } from "#test/test-database.ts";

describe("postgres", () => {
  test("while PostgreSQL does not respond, requests are 503, the log has one line, and stopping does not hang", async () => {
    const database = await createMigratedDatabase();
    const proxy = await proxyTo(database.url);
    const service = await startTestService("postgres", {
      settings: { IRONLEASE_DATABASE_URL: proxy.url, IRONLEASE_DATABASE_ANSWER: "1s" },
    });
    const loggedOf = (access: string, message: string) =>
      service.logged
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((entry) => entry["access"] === access && entry["msg"] === message).length;
    try {
      const ada = await service.register();
      proxy.freeze();
      for (let round = 0; round < 3; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => ada.send("GET", "/api/v1/me")),
        );
        for (const answer of answers) {
          assert.deepEqual([answer.status, codeOf(answer)], [503, "service_unavailable"]);
          assert.equal(answer.headers["retry-after"], "1");
        }
      }
      assert.equal(loggedOf("read", "database outage began"), 1);
      assert.ok(!service.logged.some((line) => line.includes('"stack"')));

      proxy.thaw();
      service.clock.advance(5_000);
      assert.equal((await ada.send("GET", "/api/v1/me")).status, 200);
      assert.equal(loggedOf("read", "database outage ended"), 1);

      proxy.freeze();
    } finally {
      // PostgreSQL is still frozen, and background passes wait for it.
      await service.close();
      await proxy.cut();
      await database.drop();
    }
  });
});
