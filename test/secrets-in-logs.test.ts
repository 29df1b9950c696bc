import assert from "node:assert/strict";
import { test } from "node:test";
import { resetOperator } from "#server/features/operators/reset-operator.ts";
import { forEachEngine } from "#test/engines.ts";
import { addTestOperator } from "#test/operators.ts";
import { cookiesOf, password, startTestService } from "#test/service.ts";
import { totpCode } from "#test/totp.ts";
import { valueOf } from "#test/use-cases.ts";
import { systemCall } from "#server/kernel/call.ts";

forEachEngine((engine) => {
  test("the log contains no secret of an account, from registration to recovery", async () => {
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
      const url = "https://hooks.example.com/a-token-in-a-path";
      const webhook = await ada.send("POST", "/api/v1/webhooks", { body: { url } });
      const rotated = await ada.send("POST", `/api/v1/webhooks/${webhook.json.id}/secret`);
      await ada.send("POST", `/api/v1/webhooks/${webhook.json.id}/test`);
      secrets.push(webhook.json.secret, rotated.json.secret, "a-token-in-a-path");
      const authorization = `Bearer ${key.key}`;
      await service.send("GET", "/api/v1/me", { headers: { authorization } });
      // Secrets in the wrong place: a path, a query, a username, a malformed body, an unknown header.
      await service.send("GET", `/api/v1/${key.key}?password=${encodeURIComponent(password)}`);
      await service.send("POST", "/api/v1/auth/login", { body: { username: password, password } });
      await service.send("POST", "/api/v1/auth/login", { rawBody: `{"password":"${password}"` });
      await service.send("GET", "/api/v1/me", {
        headers: { "x-secret": password, cookie: ada.cookie },
      });
      const { json: begun } = await ada.send("POST", "/api/v1/auth/totp");
      const code = totpCode(begun.secret, service.clock.now());
      const confirmed = await ada.send("POST", "/api/v1/auth/totp/confirm", { body: { code } });
      secrets.push(begun.secret, ...confirmed.json.recoveryCodes);
      for (const totp of [confirmed.json.recoveryCodes[0], begun.secret]) {
        await service.send("POST", "/api/v1/auth/login", { body: { username, password, totp } });
      }
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
    assert.ok(service.logged.length >= 10, "the requests are missing from the log");
    for (const secret of secrets) {
      assert.ok(secret.length >= 10);
      assert.ok(!log.includes(secret), `the log holds ${secret}`);
      assert.ok(!log.includes(encodeURIComponent(secret)));
    }
  });

  test("neither the log nor the audit contains a secret of an operator", async () => {
    const service = await startTestService(engine);
    const secrets = ["a pass phrase of theirs", "the pass phrase after it"];
    const [operatorPassword = "", newPassword = ""] = secrets;
    let audit = "";
    try {
      const { core, clock, sendToDesk } = service;
      const { username } = await addTestOperator(core, "admin", { password: operatorPassword });
      const reset = await valueOf(resetOperator(core, systemCall, { username }));
      secrets.push(reset.password);
      const signIn = async (body: object) => {
        const answer = await sendToDesk("POST", "/operator/v1/auth/login", { body });
        secrets.push(...cookiesOf(answer).map((pair) => pair.slice(pair.indexOf("=") + 1)));
        const headers = {
          cookie: cookiesOf(answer).join("; "),
          "x-csrf-token": answer.json.csrfToken,
        };
        return (path: string, more = {}) => sendToDesk("POST", path, { headers, ...more });
      };
      await signIn({ username: operatorPassword, password: operatorPassword });
      const send = await signIn({ username, password: reset.password });
      const begun = await send("/operator/v1/auth/totp");
      const code = totpCode(begun.json.secret, clock.now());
      const confirmed = await send("/operator/v1/auth/totp/confirm", { body: { code } });
      assert.equal(confirmed.status, 200);
      const [recoveryCode = ""] = confirmed.json.recoveryCodes;
      secrets.push(begun.json.secret, ...confirmed.json.recoveryCodes);
      secrets.push(recoveryCode.replaceAll("-", ""));
      await signIn({ username, password: reset.password, totp: recoveryCode });
      await signIn({ username, password: reset.password, totp: begun.json.secret });
      await sendToDesk("GET", `/operator/v1/accounts?query=${recoveryCode}`);
      const body = { currentPassword: reset.password, newPassword };
      assert.equal((await send("/operator/v1/auth/password", { body })).status, 204);
      audit = JSON.stringify(await core.db.read.selectFrom("audit").selectAll().execute());
    } finally {
      await service.close();
    }
    assert.ok(service.logged.length >= 8, "the requests are missing from the log");
    assert.match(audit, /operator\.use_recovery_code/);
    const log = service.logged.join("") + audit;
    for (const secret of secrets) {
      assert.ok(secret.length >= 10);
      assert.ok(!log.includes(secret), `the log holds ${secret}`);
      assert.ok(!log.includes(encodeURIComponent(secret)));
    }
    assert.equal(secrets.length, 2 + 1 + 2 + 2 + 1 + 10 + 1);
  });

  test("every request logs one line with its id, operation and status", async () => {
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
