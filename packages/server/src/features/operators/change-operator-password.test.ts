import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { signInOperator } from "#test/operators.ts";
import { cookiesOf, startTestService, type TestService } from "#test/service.ts";

const path = "/operator/v1/auth/password";
const password = "the operators' pass phrase";
const newPassword = "another pass phrase of theirs";

forEachEngine((engine) => {
  describe("an operator's password change", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine);
    });
    after(() => service.close());

    const newOperator = () =>
      signInOperator(service.core, service.sendToDesk, "support", { password });

    const signIn = (username: string, typed: string) =>
      service.sendToDesk("POST", "/operator/v1/auth/login", {
        body: { username, password: typed },
      });

    test("ends every session, including this one, clears the cookies and is audited", async () => {
      const ada = await newOperator();
      const elsewhere = cookiesOf(await signIn(ada.username, password)).join("; ");
      const other = await newOperator();
      const answer = await ada.send("POST", path, {
        body: { currentPassword: password, newPassword },
      });
      assert.equal(answer.status, 204);
      assert.ok(answer.headers["set-cookie"]?.every((line) => line.includes("Max-Age=0")));
      for (const cookie of [ada.cookie, elsewhere]) {
        const me = await service.sendToDesk("GET", "/operator/v1/me", { headers: { cookie } });
        assert.equal(codeOf(me), "authentication_required");
      }
      assert.equal((await other.send("GET", "/operator/v1/me")).status, 200);
      assert.equal((await signIn(ada.username, password)).status, 401);
      assert.equal((await signIn(ada.username, newPassword)).status, 200);
      const audited = await service.core.db.read
        .selectFrom("audit")
        .select("actor")
        .where("action", "=", "operator.change_password")
        .where("subject", "=", ada.operatorId)
        .execute();
      assert.deepEqual(
        audited.map(({ actor }) => actor),
        [ada.operatorId],
      );
    });

    test("a wrong current password ends nothing and counts as a failed sign-in", async () => {
      const ada = await newOperator();
      const wrong = { body: { currentPassword: "not this one", newPassword } };
      for (let failures = 0; failures < 5; failures += 1) {
        assert.equal(codeOf(await ada.send("POST", path, wrong)), "invalid_credentials");
      }
      assert.equal((await ada.send("POST", path, wrong)).status, 429);
      assert.equal((await signIn(ada.username, password)).status, 429);
      assert.equal((await ada.send("GET", "/operator/v1/me")).status, 200);
    });

    test("exactly one of four concurrent changes succeeds, and its password is the one that works", async () => {
      const ada = await newOperator();
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, index) =>
          ada.send("POST", path, {
            body: { currentPassword: password, newPassword: `${newPassword} ${index}` },
          }),
        ),
      );
      const winner = answers.findIndex(({ status }) => status === 204);
      assert.equal(answers.filter(({ status }) => status === 204).length, 1);
      assert.equal((await signIn(ada.username, `${newPassword} ${winner}`)).status, 200);
    });

    const unfit: [string, string][] = [
      ["a short password", "too short"],
      ["a well-known password", "PassWord123"],
      ["a password of 257 characters", "xy".repeat(128) + "z"],
    ];
    for (const [what, chosen] of unfit) {
      test(`400 validation_failed for ${what}, before the current password is verified`, async () => {
        const ada = await newOperator();
        const body = { currentPassword: "wrong", newPassword: chosen };
        const answer = await ada.send("POST", path, { body });
        assert.equal(codeOf(answer), "validation_failed");
        assert.equal(answer.json.error.fields[0].field, "newPassword");
      });
    }
  });
});
