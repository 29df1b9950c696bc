import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { rateLimits } from "@ironlease/contract";
import { changePassword } from "#server/features/accounts/change-password.ts";
import { recoverAccount } from "#server/features/accounts/recover-account.ts";
import { registerAccount } from "#server/features/accounts/register-account.ts";
import { changeOperatorPassword } from "#server/features/operators/change-operator-password.ts";
import { signInOperator } from "#server/features/operators/sign-in-operator.ts";
import { signIn } from "#server/features/sessions/sign-in.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Result } from "#server/ports/result.ts";
import { refuse } from "#server/kernel/result.ts";
import { createTestCore, testClient } from "#test/core.ts";
import { countingPasswords } from "#test/counting-passwords.ts";
import { forEachEngine } from "#test/engines.ts";
import type { Answer } from "#test/https-client.ts";
import { addTestOperator } from "#test/operators.ts";
import { startTestService } from "#test/service.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";

const password = "a long pass phrase";
const newPassword = "another long pass phrase";
const attacker = "203.0.113.9";
const { count: perAddress } = rateLimits.recoveryPerAddress;

forEachEngine((engine) => {
  describe("recovery attempts cannot lock out other users", () => {
    test("a flood of unknown usernames stops at the address limit, and other addresses can still sign in and recover", async () => {
      const passwords = countingPasswords();
      const service = await startTestService(engine, {
        passwords,
        settings: { IRONLEASE_TRUST_PROXY: "127.0.0.1" },
      });
      try {
        const { username, recoveryCode } = await service.register();
        const operator = await addTestOperator(service.core, "admin", { password });
        const hashedBefore = passwords.hashed;
        const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
        const recover = (name: string, code: string, address: string) =>
          service.send("POST", "/api/v1/auth/recover", {
            body: { username: name, recoveryCode: code, newPassword },
            ...from(address),
          });
        const flood = Array.from({ length: 200 }, (_, index) =>
          recover(`invented${index}`, "WRONG", attacker),
        );
        const signIns = Array.from({ length: 9 }, (_, index) => [
          service.send("POST", "/api/v1/auth/login", {
            body: { username, password },
            ...from(`198.51.100.${index}`),
          }),
          service.sendToDesk("POST", "/operator/v1/auth/login", {
            body: { username: operator.username, password },
            ...from(`192.0.2.${index}`),
          }),
        ]).flat();
        const [refused, signedIn] = [await statusesOf(flood), await statusesOf(signIns)];
        assert.deepEqual(
          signedIn,
          signIns.map(() => 200),
        );
        assert.equal(refused.filter((status) => status === 401).length, perAddress);
        assert.equal(refused.filter((status) => status === 429).length, 200 - perAddress);
        assert.equal(passwords.hashed - hashedBefore, perAddress);

        const { read } = service.core.db;
        const limits = await read
          .selectFrom("rate_limits")
          .select("key")
          .where("key", "like", "recovery%")
          .execute();
        // One for the address, and one for each username that was checked.
        assert.equal(limits.length, 1 + perAddress);
        const audits = await read
          .selectFrom("audit")
          .select("id")
          .where("action", "=", "account.refuse_recovery")
          .execute();
        assert.equal(audits.length, perAddress);

        assert.equal((await recover(username, recoveryCode, attacker)).status, 429);
        assert.equal((await recover(username, recoveryCode, "198.51.100.1")).status, 200);
      } finally {
        await service.close();
      }
    });

    test("an attempt that is refused because the hashing queue is full does not count", async () => {
      const opened = await createTestCore(engine, { rules: { rateLimits } });
      try {
        const { core } = opened;
        const username = "ada";
        const { recoveryCode } = await valueOf(
          registerAccount(core, testClient, { username, password }),
        );
        const { id: accountId } = await core.db.read
          .selectFrom("accounts")
          .select("id")
          .where("username", "=", username)
          .executeTakeFirstOrThrow();
        const operator = await addTestOperator(core, "admin", { password });
        const full = async () => refuse("rate_limited");
        const busy: Core = { ...core, passwords: { hash: full, verify: full } };
        /** Can verify the current password, but not hash the new one. */
        const halfBusy: Core = { ...core, passwords: { ...core.passwords, hash: full } };
        const owner = { accountId, username };
        const change = { currentPassword: password, newPassword };
        const typed = { password, presentedSessionToken: undefined };
        const tries: Readonly<Record<string, () => Promise<Result<unknown>>>> = {
          registration: () => registerAccount(busy, testClient, { username: "bob", password }),
          recovery: () => recoverAccount(busy, testClient, { username, recoveryCode, newPassword }),
          "sign-in": () => signIn(busy, testClient, { username, ...typed }),
          "password change": () =>
            changePassword(
              busy,
              { accountId: owner.accountId, client: testClient },
              { username: owner.username, ...change },
            ),
          "new password": () =>
            changePassword(
              halfBusy,
              { accountId: owner.accountId, client: testClient },
              { username: owner.username, ...change },
            ),
          "operator sign-in": () =>
            signInOperator(busy, testClient, { username: operator.username, ...typed }),
          "operator password change": () =>
            changeOperatorPassword(busy, { operator, client: testClient }, change),
          "operator's new password": () =>
            changeOperatorPassword(halfBusy, { operator, client: testClient }, change),
        };
        const counted = () =>
          core.db.read
            .selectFrom("rate_limits")
            .select(["key", "count"])
            .where("count", ">", 0)
            .orderBy("key")
            .execute();
        const before = await counted();
        for (const [what, attempt] of Object.entries(tries)) {
          assert.equal(await codeOf(attempt()), "rate_limited", what);
          assert.deepEqual(await counted(), before, what);
        }
      } finally {
        await opened.dispose();
      }
    });
  });
});

async function statusesOf(asked: readonly Promise<Answer>[]): Promise<readonly number[]> {
  return (await Promise.all(asked)).map(({ status }) => status);
}
