import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { changePassword } from "#server/features/accounts/change-password.ts";
import { recoverAccount } from "#server/features/accounts/recover-account.ts";
import { registerAccount } from "#server/features/accounts/register-account.ts";
import { systemCall } from "#server/kernel/call.ts";
import { resetOperator } from "#server/features/operators/reset-operator.ts";
import { signInOperator } from "#server/features/operators/sign-in-operator.ts";
import { signIn } from "#server/features/sessions/sign-in.ts";
import type { Core } from "#server/kernel/core.ts";
import { createTestCore, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { addTestOperator, disableOperator } from "#test/operators.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";

const password = "the first pass phrase";
const newPassword = "the second pass phrase";
const input = { password, presentedSessionToken: undefined };

forEachEngine((engine) => {
  describe("a change during password verification", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    /** Makes the change after the password is verified and before the use case continues. */
    const duringVerification = (change: () => Promise<unknown>): Core => ({
      ...core,
      passwords: {
        ...core.passwords,
        verify: async (...args) => {
          const verified = await core.passwords.verify(...args);
          await change();
          return verified;
        },
      },
    });
    const countOf = async (table: "sessions" | "operator_sessions") => {
      const rows = await core.db.read.selectFrom(table).select("id").execute();
      return rows.length;
    };

    let names = 0;
    const newAccount = async () => {
      const username = `customer${(names += 1)}`;
      const { recoveryCode } = await valueOf(
        registerAccount(core, testClient, { username, password }),
      );
      const { id: accountId } = await core.db.read
        .selectFrom("accounts")
        .select("id")
        .where("username", "=", username)
        .executeTakeFirstOrThrow();
      return { username, accountId, recoveryCode };
    };

    test("a sign-in during a password change is refused and starts no session", async () => {
      const account = await newAccount();
      const change = () =>
        changePassword(
          core,
          { accountId: account.accountId, client: testClient },
          { username: account.username, currentPassword: password, newPassword },
        );
      const asked = signIn(duringVerification(change), testClient, { ...input, ...account });
      assert.equal(await codeOf(asked), "invalid_credentials");
      assert.equal(await countOf("sessions"), 0);
    });

    test("a sign-in during a recovery is refused and starts no session", async () => {
      const account = await newAccount();
      const recover = () => recoverAccount(core, testClient, { ...account, newPassword });
      const asked = signIn(duringVerification(recover), testClient, { ...input, ...account });
      assert.equal(await codeOf(asked), "invalid_credentials");
      assert.equal(await countOf("sessions"), 0);
    });

    test("a password change during a recovery is refused and keeps the recovered password", async () => {
      const account = await newAccount();
      const recover = () => recoverAccount(core, testClient, { ...account, newPassword });
      const change = { currentPassword: password, newPassword: "the third pass phrase" };
      const asked = changePassword(
        duringVerification(recover),
        { accountId: account.accountId, client: testClient },
        { username: account.username, ...change },
      );
      assert.equal(await codeOf(asked), "invalid_credentials");
      const right = { ...input, ...account, password: newPassword };
      assert.equal(await codeOf(signIn(core, testClient, right)), "ok");
    });

    for (const [what, change] of [
      ["disabled", disableOperator],
      ["reset", (to: Core, username: string) => resetOperator(to, systemCall, { username })],
    ] as const) {
      test(`an operator who is ${what} during sign-in is refused and gets no session`, async () => {
        const { username } = await addTestOperator(core, "support", { password });
        const asked = signInOperator(
          duringVerification(() => change(core, username)),
          testClient,
          { ...input, username },
        );
        assert.equal(await codeOf(asked), "invalid_credentials");
        assert.equal(await countOf("operator_sessions"), 0);
      });
    }
  });
});
