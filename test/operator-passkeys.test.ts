import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resetOperator } from "#server/features/operators/reset-operator.ts";
import type { AssertionAnswer } from "#server/ports/webauthn.ts";
import { Authenticator } from "#test/authenticator.ts";
import { testClient } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Send } from "#test/https-client.ts";
import { addTestOperator, disableOperator } from "#test/operators.ts";
import { passkeyClient } from "#test/passkeys.ts";
import { cookiesOf, startTestService, type TestService } from "#test/service.ts";
import { signInAccount } from "#server/features/passkeys/sign-in-account.ts";
import { systemCall } from "#server/kernel/call.ts";

const password = "the operators' pass phrase";

forEachEngine((engine) => {
  describe("passkeys of operators", () => {
    let service: TestService;
    let desk: ReturnType<typeof passkeyClient>;
    let site: ReturnType<typeof passkeyClient>;
    before(async () => {
      service = await startTestService(engine, { mode: "serve" });
      desk = passkeyClient(service.operatorUrl, "/operator/v1");
      site = passkeyClient(service.url, "/api/v1");
    });
    after(() => service.close());

    const signIn = async (username: string) =>
      service.sendToDesk("POST", "/operator/v1/auth/login", { body: { username, password } });
    const sessionOf = (answer: Awaited<ReturnType<Send>>): Send => {
      const own = { cookie: cookiesOf(answer).join("; "), "x-csrf-token": answer.json.csrfToken };
      return (method, path, options = {}) =>
        service.sendToDesk(method, path, { ...options, headers: { ...own, ...options.headers } });
    };
    const secondFactor = async (send: Send) =>
      (await send("GET", "/operator/v1/me")).json.secondFactor;

    test("a passkey is the second factor of an admin, who can no longer sign in with the password alone", async () => {
      const { username, operatorId } = await addTestOperator(service.core, "admin", { password });
      const [first, other] = [sessionOf(await signIn(username)), sessionOf(await signIn(username))];
      assert.equal(await secondFactor(first), "required");
      const { id, authenticator } = await desk.add(first);
      assert.equal(await secondFactor(first), "on");
      assert.equal((await first("GET", "/operator/v1/audit")).status, 200);
      assert.equal(codeOf(await other("GET", "/operator/v1/me")), "authentication_required");
      const refused = await signIn(username);
      assert.equal(codeOf(refused), "second_factor_required");
      assert.equal(refused.json.error.fields, undefined, "no code helps");

      const answer = await desk.signIn(service.sendToDesk, authenticator);
      assert.equal(answer.status, 200, answer.text);
      const { csrfToken } = answer.json;
      assert.deepEqual(answer.json, { username, role: "admin", csrfToken });
      assert.match(cookiesOf(answer).join("; "), /^__Host-svc-operator-session=/);
      assert.equal(await secondFactor(sessionOf(answer)), "on");
      const entries = await service.core.db.read
        .selectFrom("audit")
        .select("detail")
        .where("subject", "=", operatorId)
        .where("action", "=", "operator.sign_in")
        .where("detail", "<>", "{}")
        .execute();
      assert.deepEqual(
        entries.map(({ detail }) => JSON.parse(detail) as unknown),
        [{ passkeyId: id }],
      );

      assert.equal((await desk.remove(first, id)).status, 204);
      assert.equal(await secondFactor(first), "required");
    });

    test("passkeys of customers do not work at the desk, and vice versa", async () => {
      const ada = await service.register();
      const operator = await service.operator("support");
      const customers = (await site.add(ada.send)).authenticator;
      const operators = (await desk.add(operator.send)).authenticator;
      const refused = async (answer: Promise<Awaited<ReturnType<Send>>>) =>
        assert.equal(codeOf(await answer), "invalid_credentials");
      // Even if the browser were deceived about the port.
      await refused(desk.signIn(service.sendToDesk, customers, { origin: desk.origin }));
      await refused(site.signIn(service.send, operators, { origin: site.origin }));
      const { challenge } = await site.beginSignIn(service.send);
      await refused(desk.signIn(service.sendToDesk, operators, { challenge }));
      assert.equal((await desk.signIn(service.sendToDesk, operators)).status, 200);
      assert.equal((await site.signIn(service.send, customers)).status, 200);
    });

    test("a disabled operator's passkey and those removed by a reset do not sign in", async () => {
      const disabled = await service.operator("support");
      const theirs = (await desk.add(disabled.send)).authenticator;
      await disableOperator(service.core, disabled.username);
      assert.equal(codeOf(await desk.signIn(service.sendToDesk, theirs)), "invalid_credentials");
      const reset = await service.operator("support");
      const lost = (await desk.add(reset.send)).authenticator;
      await resetOperator(service.core, systemCall, { username: reset.username });
      assert.equal(codeOf(await desk.signIn(service.sendToDesk, lost)), "invalid_credentials");
    });

    test("20 concurrent answers to one challenge start one session, and one passkey is added once", async () => {
      const ada = await service.register();
      const options = await site.begin(ada.send);
      const authenticator = new Authenticator(site.origin);
      const created = authenticator.create(options);
      const finished = await Promise.all(
        Array.from({ length: 5 }, () => site.finish(ada.send, created)),
      );
      assert.equal(finished.filter(({ status }) => status === 201).length, 1);
      assert.equal(finished.filter(({ status }) => status === 401).length, 4);
      const credential: AssertionAnswer = authenticator.get(await site.beginSignIn(service.send));
      const relyingParty = { id: "localhost", origins: [site.origin] };
      const input = { credential, relyingParty, presentedSessionToken: undefined };
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => signInAccount(service.core, testClient, input)),
      );
      assert.equal(answers.filter(({ ok }) => ok).length, 1);
    });
  });
});
