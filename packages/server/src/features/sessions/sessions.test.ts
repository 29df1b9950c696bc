import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { customerOf, startTestService, type Customer, type TestService } from "#test/service.ts";

const minute = 60_000;
const hour = 60 * minute;

forEachEngine((engine) => {
  describe("sessions", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine, {
        settings: { IRONLEASE_LIMIT_SIGN_IN: "100/15m" },
      });
    });
    after(() => service.close());

    const signInAgain = async ({ username, password }: Customer) => {
      const answer = await service.send("POST", "/api/v1/auth/login", {
        body: { username, password },
      });
      return customerOf(service.send, answer, username);
    };

    test("are listed with every field, newest first, with the current one marked", async () => {
      const ada = await service.register();
      service.clock.advance(1000);
      const second = await signInAgain(ada);
      const { json } = await second.send("GET", "/api/v1/sessions", {
        headers: { "user-agent": "tester/1" },
      });
      assert.equal(json.sessions.length, 2);
      assert.deepEqual(
        json.sessions.map((entry: { current: boolean }) => entry.current),
        [true, false],
      );
      assert.deepEqual(Object.keys(json.sessions[0]), [
        "id",
        "createdAt",
        "lastSeenAt",
        "expiresAt",
        "ipAddress",
        "userAgent",
        "current",
      ]);
      assert.equal(json.sessions[0].ipAddress, "127.0.0.1");
      assert.match(json.sessions[0].id, /^ses_[0-9a-hjkmnp-tv-z]{26}$/);
      const { createdAt, expiresAt } = json.sessions[0];
      assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 2 * hour);
    });

    test("a revoked session fails on the next request, and other sessions stay valid", async () => {
      const ada = await service.register();
      const second = await signInAgain(ada);
      const { json } = await second.send("GET", "/api/v1/sessions");
      const other = json.sessions.find((entry: { current: boolean }) => !entry.current);
      assert.equal((await second.send("DELETE", `/api/v1/sessions/${other.id}`)).status, 204);
      assert.equal(codeOf(await ada.send("GET", "/api/v1/me")), "authentication_required");
      assert.equal((await second.send("GET", "/api/v1/me")).status, 200);
    });

    test("another account's session and an unknown one get the same 404", async () => {
      const [ada, eve] = [await service.register(), await service.register()];
      const { json } = await ada.send("GET", "/api/v1/sessions");
      const foreign = await eve.send("DELETE", `/api/v1/sessions/${json.sessions[0].id}`);
      const unknown = await eve.send("DELETE", "/api/v1/sessions/ses_01hzzzzzzzzzzzzzzzzzzzzzzz");
      assert.equal(foreign.status, 404);
      delete foreign.json.error.requestId;
      delete unknown.json.error.requestId;
      assert.deepEqual(foreign.json, unknown.json);
      assert.equal((await ada.send("GET", "/api/v1/me")).status, 200);
    });

    test("signing out ends the session and clears both cookies", async () => {
      const ada = await service.register();
      const answer = await ada.send("POST", "/api/v1/auth/logout");
      assert.equal(answer.status, 204);
      assert.equal(answer.text, "");
      assert.equal(
        answer.headers["set-cookie"]?.filter((line) => line.includes("Max-Age=0")).length,
        2,
      );
      assert.equal(codeOf(await ada.send("GET", "/api/v1/me")), "authentication_required");
    });

    test("a session in use outlasts two hours and ends after twelve", async () => {
      const ada = await service.register();
      for (let used = 1; used < 12; used += 1) {
        service.clock.advance(hour);
        assert.equal((await ada.send("GET", "/api/v1/me")).status, 200, `after ${used} h`);
      }
      const { json } = await ada.send("GET", "/api/v1/sessions");
      assert.equal(Date.parse(json.sessions[0].expiresAt) - service.clock.now(), hour);
      service.clock.advance(hour);
      assert.equal(codeOf(await ada.send("GET", "/api/v1/me")), "authentication_required");
    });

    test("a session that is idle for two hours ends", async () => {
      const ada = await service.register();
      service.clock.advance(2 * hour - 1);
      assert.equal((await ada.send("GET", "/api/v1/me")).status, 200);
      service.clock.advance(2 * hour);
      assert.equal(codeOf(await ada.send("GET", "/api/v1/me")), "authentication_required");
    });

    test("lastSeenAt is written at most once a minute", async () => {
      const ada = await service.register();
      const lastSeenAt = async () => {
        const { json } = await ada.send("GET", "/api/v1/sessions");
        return Date.parse(json.sessions[0].lastSeenAt);
      };
      const startedAt = service.clock.now();
      service.clock.advance(minute - 1);
      assert.equal(await lastSeenAt(), startedAt);
      service.clock.advance(1);
      assert.equal(await lastSeenAt(), startedAt + minute);
    });

    test("an account's 21st session ends the oldest, even among 30 concurrent sign-ins", async () => {
      const ada = await service.register();
      service.clock.advance(1);
      const others = await Promise.all(Array.from({ length: 30 }, () => signInAgain(ada)));
      assert.equal(codeOf(await ada.send("GET", "/api/v1/me")), "authentication_required");
      const living = await Promise.all(
        others.map((customer) => customer.send("GET", "/api/v1/me")),
      );
      assert.equal(living.filter((answer) => answer.status === 200).length, 20);
    });
  });
});
