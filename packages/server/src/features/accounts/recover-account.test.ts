import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { customerOf, startTestService, type TestService } from "#test/service.ts";
import { totpCode } from "#test/totp.ts";

const path = "/api/v1/auth/recover";
const newPassword = "another long pass phrase";

forEachEngine((engine) => {
  describe("recovery", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine, {
        settings: {
          IRONLEASE_LIMIT_RECOVERY: "100/1h",
          IRONLEASE_LIMIT_RECOVERY_ADDRESS: "200/1h",
        },
      });
    });
    after(() => service.close());

    test("changes the password, replaces the code, ends every session and key, and starts no session", async () => {
      const ada = await service.register();
      const { json: key } = await ada.send("POST", "/api/v1/api-keys", {
        body: { name: "k", scope: "read" },
      });
      const { username, recoveryCode } = ada;
      const answer = await service.send("POST", path, {
        body: { username, recoveryCode, newPassword },
      });
      assert.equal(answer.status, 200);
      assert.notEqual(answer.json.recoveryCode, recoveryCode);
      assert.equal(answer.headers["set-cookie"], undefined);
      assert.equal(codeOf(await ada.send("GET", "/api/v1/me")), "authentication_required");
      const withKey = await service.send("GET", "/api/v1/sessions", {
        headers: { authorization: `Bearer ${key.key}` },
      });
      assert.equal(codeOf(withKey), "authentication_required");
      const login = (password: string) =>
        service.send("POST", "/api/v1/auth/login", { body: { username, password } });
      assert.equal((await login(ada.password)).status, 401);
      assert.equal((await login(newPassword)).status, 200);
    });

    test("removes the second factor, which the account shows while it is on", async () => {
      const ada = await service.register();
      const { username, recoveryCode } = ada;
      const secondFactor = async ({ send } = ada) =>
        (await send("GET", "/api/v1/me")).json.secondFactor;
      assert.equal(await secondFactor(), undefined);
      const { json: begun } = await ada.send("POST", "/api/v1/auth/totp");
      const code = totpCode(begun.secret, service.clock.now());
      await ada.send("POST", "/api/v1/auth/totp/confirm", { body: { code } });
      assert.equal(await secondFactor(), "on");
      const login = (password: string, totp?: string) =>
        service.send("POST", "/api/v1/auth/login", { body: { username, password, totp } });
      const asked = await login(ada.password);
      assert.deepEqual([asked.status, codeOf(asked)], [403, "second_factor_required"]);
      assert.equal(asked.json.error.fields[0].field, "totp");
      assert.equal(codeOf(await login(ada.password, "")), "validation_failed");

      await service.send("POST", path, { body: { username, recoveryCode, newPassword } });
      const signedIn = await login(newPassword);
      assert.equal(signedIn.status, 200);
      assert.equal(await secondFactor(customerOf(service.send, signedIn, username)), undefined);
    });

    test("a code works once, and its replacement works next", async () => {
      const { username, recoveryCode } = await service.register();
      const recover = (code: string) =>
        service.send("POST", path, { body: { username, recoveryCode: code, newPassword } });
      const first = await recover(recoveryCode);
      assert.equal(codeOf(await recover(recoveryCode)), "invalid_credentials");
      assert.equal((await recover(first.json.recoveryCode)).status, 200);
    });

    test("exactly one of 50 concurrent attempts with one code succeeds", async () => {
      const { username, recoveryCode } = await service.register();
      const answers = await Promise.all(
        Array.from({ length: 50 }, () =>
          service.send("POST", path, { body: { username, recoveryCode, newPassword } }),
        ),
      );
      assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
      assert.equal(answers.filter((answer) => codeOf(answer) === "invalid_credentials").length, 49);
    });

    test("a code is accepted in any case and with spaces, hyphens and look-alike letters", async () => {
      const { username, recoveryCode } = await service.register();
      const typed = ` ${recoveryCode.toLowerCase().replaceAll("-", " ").replaceAll("0", "o")} `;
      const answer = await service.send("POST", path, {
        body: { username, recoveryCode: typed, newPassword },
      });
      assert.equal(answer.status, 200, answer.text);
    });

    test("a wrong code and an unknown user get the same body", async () => {
      const { username } = await service.register();
      const recover = (name: string) =>
        service.send("POST", path, {
          body: { username: name, recoveryCode: "WRONG", newPassword },
        });
      const [wrong, unknown] = [await recover(username), await recover("nobody-at-all")];
      assert.equal(wrong.status, 401);
      assert.equal(unknown.status, 401);
      delete wrong.json.error.requestId;
      delete unknown.json.error.requestId;
      assert.deepEqual(wrong.json, unknown.json);
    });

    test("an invalid new password is refused before the code is checked", async () => {
      const { username, recoveryCode } = await service.register();
      const answer = await service.send("POST", path, {
        body: { username, recoveryCode, newPassword: "1234567890" },
      });
      assert.equal(codeOf(answer), "validation_failed");
      const good = await service.send("POST", path, {
        body: { username, recoveryCode, newPassword },
      });
      assert.equal(good.status, 200);
    });
  });

  test("the sixth recovery in an hour for one username from one address is refused", async () => {
    const service = await startTestService(engine);
    try {
      const { username } = await service.register();
      const recover = () =>
        service.send("POST", path, { body: { username, recoveryCode: "WRONG", newPassword } });
      const answers = await Promise.all(Array.from({ length: 8 }, recover));
      assert.equal(answers.filter((answer) => answer.status === 401).length, 5);
      assert.equal(answers.filter((answer) => answer.status === 429).length, 3);
    } finally {
      await service.close();
    }
  });
});
