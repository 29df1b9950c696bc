import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { customerOf, startTestService, type TestService } from "#test/service.ts";

const path = "/api/v1/auth/password";
const newPassword = "another long pass phrase";

forEachEngine((engine) => {
  describe("password change", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine);
    });
    after(() => service.close());

    test("ends every session and key, including this session, and clears the cookies", async () => {
      const ada = await service.register();
      const { username, password } = ada;
      const login = await service.send("POST", "/api/v1/auth/login", {
        body: { username, password },
      });
      const elsewhere = customerOf(service.send, login, username);
      const { json: key } = await ada.send("POST", "/api/v1/api-keys", {
        body: { name: "k", scope: "read" },
      });
      const answer = await ada.send("POST", path, {
        body: { currentPassword: password, newPassword },
      });
      assert.equal(answer.status, 204);
      assert.ok(answer.headers["set-cookie"]?.every((line) => line.includes("Max-Age=0")));
      for (const customer of [ada, elsewhere]) {
        assert.equal(codeOf(await customer.send("GET", "/api/v1/me")), "authentication_required");
      }
      const withKey = await service.send("GET", "/api/v1/me", {
        headers: { authorization: `Bearer ${key.key}` },
      });
      assert.equal(codeOf(withKey), "authentication_required");
      const again = await service.send("POST", "/api/v1/auth/login", {
        body: { username, password: newPassword },
      });
      assert.equal(again.status, 200);
    });

    test("a wrong current password is 401 invalid_credentials and ends nothing", async () => {
      const ada = await service.register();
      const answer = await ada.send("POST", path, {
        body: { currentPassword: "not this one", newPassword },
      });
      assert.equal(answer.status, 401);
      assert.equal(codeOf(answer), "invalid_credentials");
      assert.equal((await ada.send("GET", "/api/v1/me")).status, 200);
    });

    test("a wrong current password counts as a failed sign-in", async () => {
      const ada = await service.register();
      const wrong = { body: { currentPassword: "not this one", newPassword } };
      for (let failures = 0; failures < 5; failures += 1) {
        assert.equal((await ada.send("POST", path, wrong)).status, 401);
      }
      assert.equal((await ada.send("POST", path, wrong)).status, 429);
      const { username, password } = ada;
      const login = await service.send("POST", "/api/v1/auth/login", {
        body: { username, password },
      });
      assert.equal(login.status, 429);
    });

    test("exactly one of four concurrent changes succeeds, and its password is the one that works", async () => {
      const ada = await service.register();
      const { username, password: currentPassword } = ada;
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, index) =>
          ada.send("POST", path, {
            body: { currentPassword, newPassword: `${newPassword} ${index}` },
          }),
        ),
      );
      const winner = answers.findIndex((answer) => answer.status === 204);
      assert.equal(answers.filter((answer) => answer.status === 204).length, 1);
      const login = await service.send("POST", "/api/v1/auth/login", {
        body: { username, password: `${newPassword} ${winner}` },
      });
      assert.equal(login.status, 200);
    });
  });
});
