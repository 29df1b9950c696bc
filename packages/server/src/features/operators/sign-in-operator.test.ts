import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { countingPasswords } from "#test/counting-passwords.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { addTestOperator, disableOperator, enableOperator } from "#test/operators.ts";
import { bodyWithoutRequestId } from "#test/rental-service.ts";
import { cookiesOf, startTestService, type TestService } from "#test/service.ts";

const path = "/operator/v1/auth/login";
const password = "the operators' pass phrase";

forEachEngine((engine) => {
  describe("an operator's sign-in", () => {
    const passwords = countingPasswords();
    let service: TestService;
    before(async () => {
      service = await startTestService(engine, {
        passwords,
        settings: {
          IRONLEASE_TRUST_PROXY: "127.0.0.1",
          IRONLEASE_LIMIT_SIGN_IN_ADDRESS: "500/15m",
        },
      });
    });
    after(() => service.close());

    const signIn = (username: string, typed: string, from = "192.0.2.1", headers = {}) =>
      service.sendToDesk("POST", path, {
        body: { username, password: typed },
        headers: { "x-forwarded-for": from, ...headers },
      });

    const me = (cookie: string) =>
      service.sendToDesk("GET", "/operator/v1/me", { headers: { cookie } });

    const audited = async (subject: string) => {
      const rows = await service.core.db.read
        .selectFrom("audit")
        .select(["actor", "action", "ip_address", "detail"])
        .where("subject", "=", subject)
        .orderBy("id")
        .execute();
      return rows.map((row) => ({ ...row }));
    };

    test("returns name, role and CSRF token, /me adds the second factor, and sign-in and sign-out are audited", async () => {
      const { username, operatorId } = await addTestOperator(service.core, "finance", { password });
      const answer = await signIn(username.toUpperCase(), password);
      assert.equal(answer.status, 200);
      const { csrfToken } = answer.json;
      assert.deepEqual(answer.json, { username, role: "finance", csrfToken });
      const cookie = cookiesOf(answer).join("; ");
      assert.match(cookie, /^__Host-svc-operator-session=.+; __Host-svc-operator-csrf=.+$/);
      for (const line of answer.headers["set-cookie"] ?? []) {
        assert.match(line, /; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
      }
      const read = await me(cookie);
      assert.deepEqual(read.json, { username, role: "finance", csrfToken, secondFactor: "off" });

      const out = await service.sendToDesk("POST", "/operator/v1/auth/logout", {
        headers: { cookie, "x-csrf-token": csrfToken },
      });
      assert.equal(out.status, 204);
      assert.ok(out.headers["set-cookie"]?.every((line) => line.includes("Max-Age=0")));
      assert.equal(codeOf(await me(cookie)), "authentication_required");
      const entry = { actor: operatorId, detail: "{}" };
      assert.deepEqual(await audited(operatorId), [
        { ...entry, action: "operator.sign_in", ip_address: "192.0.2.1" },
        { ...entry, action: "operator.sign_out", ip_address: "127.0.0.1" },
      ]);
    });

    test("401 on the operators' listener does not ask for an API key", async () => {
      const answer = await me("");
      assert.equal(codeOf(answer), "authentication_required");
      assert.equal(answer.headers["www-authenticate"], undefined);
      const customers = await service.send("GET", "/api/v1/me");
      assert.equal(customers.headers["www-authenticate"], "Bearer");
    });

    test("a wrong password, an unknown username and a disabled operator get the same body and the same hashing work", async () => {
      const known = await addTestOperator(service.core, "support", { password });
      const disabled = await addTestOperator(service.core, "support", { password });
      await disableOperator(service.core, disabled.username);
      const worked = async (username: string, typed: string) => {
        const before = passwords.verified;
        const answer = await signIn(username, typed);
        assert.equal(passwords.verified, before + 1);
        assert.equal(answer.status, 401);
        return bodyWithoutRequestId(answer);
      };
      const wrong = await worked(known.username, "wrong");
      assert.deepEqual(await worked("nobody-at-all", "wrong"), wrong);
      assert.deepEqual(await worked(disabled.username, password), wrong);
      const actions = (await audited(disabled.operatorId)).map(({ action }) => action);
      assert.deepEqual(actions, ["operator.disable", "operator.refuse_sign_in"]);
    });

    test("ends the session that came with the request", async () => {
      const { username } = await addTestOperator(service.core, "support", { password });
      const cookie = cookiesOf(await signIn(username, password)).join("; ");
      assert.equal((await signIn(username, password, "192.0.2.1", { cookie })).status, 200);
      assert.equal(codeOf(await me(cookie)), "authentication_required");
    });

    test("a disabled operator's next request fails, and enabling does not restore the session", async () => {
      const ada = await service.operator("support");
      assert.equal((await ada.send("GET", "/operator/v1/me")).status, 200);
      await disableOperator(service.core, ada.username);
      assert.equal(codeOf(await ada.send("GET", "/operator/v1/me")), "authentication_required");
      await enableOperator(service.core, ada.username);
      assert.equal(codeOf(await ada.send("GET", "/operator/v1/me")), "authentication_required");
    });

    test("40 concurrent wrong sign-ins with a limit of 5: exactly 5 are tried and audited", async () => {
      const { username, operatorId } = await addTestOperator(service.core, "support", { password });
      const before = passwords.verified;
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => signIn(username, "wrong")),
      );
      assert.equal(passwords.verified - before, 5);
      assert.equal(answers.filter(({ status }) => status === 401).length, 5);
      assert.equal(answers.filter(({ status }) => status === 429).length, 35);
      assert.equal((await audited(operatorId)).length, 5);
      // The owner can sign in from elsewhere.
      assert.equal((await signIn(username, password, "198.51.100.1")).status, 200);
    });

    test("20 concurrent correct sign-ins of one operator all succeed", async () => {
      const { username } = await addTestOperator(service.core, "support", { password });
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => signIn(username, password)),
      );
      assert.ok(answers.every(({ status }) => status === 200));
    });

    test("a customer's failures do not lock out an operator of the same name, and vice versa", async () => {
      const { username } = await addTestOperator(service.core, "support", { password });
      const customer = await service.register(username);
      const asCustomer = (typed: string) =>
        service.send("POST", "/api/v1/auth/login", {
          body: { username, password: typed },
          headers: { "x-forwarded-for": "192.0.2.1" },
        });
      for (let failures = 0; failures < 5; failures += 1) await asCustomer("wrong");
      assert.equal((await asCustomer(customer.password)).status, 429);
      assert.equal((await signIn(username, password)).status, 200);
      for (let failures = 0; failures < 5; failures += 1)
        await signIn(username, "wrong", "192.0.2.2");
      assert.equal((await signIn(username, password, "192.0.2.2")).status, 429);
      const elsewhere = await service.send("POST", "/api/v1/auth/login", {
        body: { username, password: customer.password },
        headers: { "x-forwarded-for": "192.0.2.2" },
      });
      assert.equal(elsewhere.status, 200);
    });

    test("an operator's 21st session ends the oldest", async () => {
      const { username } = await addTestOperator(service.core, "support", { password });
      const cookies: string[] = [];
      for (let count = 0; count < 21; count += 1) {
        cookies.push(cookiesOf(await signIn(username, password)).join("; "));
        service.clock.advance(1);
      }
      assert.equal(codeOf(await me(cookies[0] ?? "")), "authentication_required");
      assert.equal((await me(cookies[1] ?? "")).status, 200);
    });

    test("a session ends after two idle hours, and at the latest after twelve hours", async () => {
      const [idle, busy] = [await service.operator("support"), await service.operator("support")];
      const hour = 3_600_000;
      for (let hours = 1; hours < 12; hours += 1) {
        service.clock.advance(hour);
        assert.equal((await busy.send("GET", "/operator/v1/me")).status, 200, `after ${hours} h`);
        if (hours !== 2) continue;
        assert.equal(codeOf(await idle.send("GET", "/operator/v1/me")), "authentication_required");
      }
      service.clock.advance(hour);
      assert.equal(codeOf(await busy.send("GET", "/operator/v1/me")), "authentication_required");
    });
  });
});
