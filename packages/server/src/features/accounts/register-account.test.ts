import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { cookiesOf, password, startTestService, type TestService } from "#test/service.ts";

const path = "/api/v1/auth/register";

forEachEngine((engine) => {
  describe("registration", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine);
    });
    after(() => service.close());

    test("answers 201 with the CSRF token, the recovery code and both cookies, and signs in", async () => {
      const answer = await service.send("POST", path, { body: { username: "grace", password } });
      assert.equal(answer.status, 201);
      assert.deepEqual(Object.keys(answer.json), ["username", "csrfToken", "recoveryCode"]);
      const lines = answer.headers["set-cookie"] ?? [];
      assert.deepEqual(
        lines.map((line) => line.split("=", 1)[0]),
        ["__Host-svc-session", "__Host-svc-csrf"],
      );
      for (const line of lines) {
        assert.match(line, /; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
        assert.doesNotMatch(line, /domain/i);
      }
      const me = await service.send("GET", "/api/v1/me", {
        headers: { cookie: cookiesOf(answer).join("; ") },
      });
      assert.deepEqual(me.json, {
        username: "grace",
        balanceUsd: 0,
        csrfToken: answer.json.csrfToken,
      });
    });

    test("usernames are stored in lower case and are unique regardless of case", async () => {
      const first = await service.send("POST", path, { body: { username: "Edsger-1", password } });
      assert.equal(first.json.username, "edsger-1");
      const second = await service.send("POST", path, { body: { username: "eDSGER-1", password } });
      assert.equal(second.status, 409);
      assert.equal(codeOf(second), "username_taken");
    });

    test("fifty concurrent registrations of one username create one account", async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () =>
          service.send("POST", path, { body: { username: "contested", password } }),
        ),
      );
      const statuses = answers.map((answer) => answer.status);
      assert.equal(statuses.filter((status) => status === 201).length, 1);
      assert.ok(statuses.every((status) => status === 201 || status === 409));
    });

    const bad: [string, unknown, string][] = [
      ["a short username", { username: "ab", password }, "username"],
      ["a username that starts with a digit", { username: "1abc", password }, "username"],
      ["a username with a dot", { username: "a.bc", password }, "username"],
      ["a username of 33 characters", { username: "a".repeat(33), password }, "username"],
      ["a username with a trailing newline", { username: "abc\n", password }, "username"],
      ["a password of nine characters", { username: "abc", password: "x1y2z3a4b" }, "password"],
      [
        "a password of 257 characters",
        { username: "abc", password: "xy".repeat(128) + "z" },
        "password",
      ],
      ["a well-known password", { username: "abc", password: "PassWord123" }, "password"],
      [
        "the username as the password",
        { username: "lovelace-ada", password: "Lovelace-Ada" },
        "password",
      ],
      ["a password with a NUL", { username: "abc", password: "long enough \u0000" }, "password"],
      [
        "a password with a lone surrogate",
        { username: "abc", password: "long enough \ud800" },
        "password",
      ],
      ["a number as the username", { username: 12345, password }, "username"],
      ["a missing password", { username: "abc" }, "password"],
      ["an unknown field", { username: "abc", password, admin: true }, "admin"],
      [
        "a field named __proto__",
        JSON.parse('{"username":"abc","password":"a long pass phrase","__proto__":{}}'),
        "__proto__",
      ],
    ];
    for (const [what, body, field] of bad) {
      test(`400 validation_failed names the field for ${what}`, async () => {
        const answer = await service.send("POST", path, { body });
        assert.equal(answer.status, 400, answer.text);
        assert.equal(codeOf(answer), "validation_failed");
        assert.deepEqual(
          answer.json.error.fields.map((entry: { field: string }) => entry.field),
          [field],
        );
      });
    }

    test("a password is not trimmed, case-folded or normalized", async () => {
      const spaced = "  Ünïcode pass  ";
      const registered = await service.send("POST", path, {
        body: { username: "exact", password: spaced },
      });
      assert.equal(registered.status, 201);
      const login = (typed: string) =>
        service.send("POST", "/api/v1/auth/login", {
          body: { username: "exact", password: typed },
        });
      assert.equal((await login(spaced)).status, 200);
      assert.equal((await login(spaced.trim())).status, 401);
      assert.equal((await login(spaced.toLowerCase())).status, 401);
      assert.equal((await login(spaced.normalize("NFD"))).status, 401);
    });

    test("a password of ten astral characters is long enough, because code points count", async () => {
      const astral = "😀😁😂🤣😃😄😅😆😉😊";
      const answer = await service.send("POST", path, {
        body: { username: "astral", password: astral },
      });
      assert.equal(answer.status, 201, answer.text);
    });
  });

  test("the 21st registration from one address within an hour is refused until the hour ends", async () => {
    const service = await startTestService(engine, { mode: "serve" });
    try {
      const register = (index: number) =>
        service.send("POST", path, { body: { username: `many${index}`, password } });
      const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => register(index)));
      assert.equal(answers.filter((answer) => answer.status === 201).length, 20);
      const refused = answers.filter((answer) => answer.status === 429);
      assert.equal(refused.length, 5);
      assert.equal(refused[0]?.headers["retry-after"], "3600");
      service.clock.advance(3_600_000);
      assert.equal((await register(99)).status, 201);
    } finally {
      await service.close();
    }
  });
});
