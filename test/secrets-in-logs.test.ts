import assert from "node:assert/strict";
import { test } from "node:test";
import { forEachEngine } from "./support/engines.ts";
import { cookiesOf, password, startTestService } from "./support/service.ts";

forEachEngine((engine) => {
  test("no secret that a whole life of an account shows is ever in the log", async () => {
    const service = await startTestService(engine);
    const secrets: string[] = [];
    const newPassword = "a password after recovery";
    const finalPassword = "a password after that one";
    try {
      const ada = await service.register();
      const { username } = ada;
      secrets.push(password, newPassword, finalPassword, ada.recoveryCode, ada.csrfToken);
      secrets.push(
        ...ada.cookie.split("; ").map((cookie) => cookie.slice(cookie.indexOf("=") + 1)),
      );
      const { json: key } = await ada.send("POST", "/api/v1/api-keys", {
        body: { name: "k", scope: "read" },
      });
      secrets.push(key.key);
      const authorization = `Bearer ${key.key}`;
      await service.send("GET", "/api/v1/me", { headers: { authorization } });
      // Secrets in the wrong place: a path, a query, a username, a broken body, a header nobody knows.
      await service.send("GET", `/api/v1/${key.key}?password=${encodeURIComponent(password)}`);
      await service.send("POST", "/api/v1/auth/login", { body: { username: password, password } });
      await service.send("POST", "/api/v1/auth/login", { rawBody: `{"password":"${password}"` });
      await service.send("GET", "/api/v1/me", {
        headers: { "x-secret": password, cookie: ada.cookie },
      });
      const { recoveryCode } = ada;
      const recovered = await service.send("POST", "/api/v1/auth/recover", {
        body: { username, recoveryCode, newPassword },
      });
      secrets.push(recovered.json.recoveryCode);
      const login = await service.send("POST", "/api/v1/auth/login", {
        body: { username, password: newPassword },
      });
      secrets.push(
        login.json.csrfToken,
        ...cookiesOf(login).map((cookie) => cookie.slice(cookie.indexOf("=") + 1)),
      );
      await service.send("POST", "/api/v1/auth/password", {
        body: { currentPassword: newPassword, newPassword: finalPassword },
        headers: { cookie: cookiesOf(login).join("; "), "x-csrf-token": login.json.csrfToken },
      });
    } finally {
      await service.close();
    }
    const log = service.logged.join("");
    assert.ok(service.logged.length >= 10, "the requests are in the log");
    for (const secret of secrets) {
      assert.ok(secret.length >= 10);
      assert.ok(!log.includes(secret), `the log holds ${secret}`);
      assert.ok(!log.includes(encodeURIComponent(secret)));
    }
  });

  test("every request leaves one line with its id, operation and status", async () => {
    const service = await startTestService(engine);
    let requestId: unknown;
    try {
      requestId = (await service.send("GET", "/api/health")).headers["x-request-id"];
    } finally {
      await service.close();
    }
    const lines = service.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    const [line, ...more] = lines.filter((entry) => entry["requestId"] === requestId);
    assert.equal(more.length, 0);
    assert.equal(line?.["operation"], "readHealth");
    assert.equal(line?.["status"], 200);
  });
});
