import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/use-cases.ts";
import { addTestOperator, disableOperator } from "#test/operators.ts";
import { ConfigError } from "#config.ts";
import { signInOperator } from "#features/operators/sign-in-operator.ts";
import type { Core } from "#kernel/core.ts";
import type { PasswordHash } from "#ports/password-hash.ts";
import { ensurePreviewOperator, type PreviewOperator } from "./operator.ts";

const configured = "a configured pass phrase";

const signIn = (core: Core, password: string) => {
  const input = { username: "operator", password, presentedSessionToken: undefined };
  return codeOf(signInOperator(core, testClient, input));
};

const generatedPassword = ({ password }: PreviewOperator) =>
  password.kind === "generated" ? password.value : undefined;

forEachEngine((engine) => {
  describe("the preview's operator", () => {
    let opened: TestCore;
    before(async () => {
      opened = await createTestCore(engine);
    });
    after(() => opened.dispose());

    const auditOf = () =>
      opened.core.db.read.selectFrom("audit").select(["actor", "action"]).orderBy("id").execute();

    test("is created once by processes that start together, and only one shows the password", async () => {
      const cores = [opened.core, await opened.reopen(), await opened.reopen()];
      const operators = await Promise.all(
        cores.map((core) => ensurePreviewOperator(core, undefined)),
      );
      const passwords = operators.map(generatedPassword).filter((value) => value !== undefined);
      assert.equal(passwords.length, 1);
      assert.equal(await signIn(opened.core, passwords[0] ?? ""), "ok");
      const [{ role } = assert.fail(), ...more] = await opened.core.db.read
        .selectFrom("operators")
        .select("role")
        .execute();
      assert.deepEqual([role, more], ["admin", []]);
    });

    test("is unchanged by a later start, which hashes no password", async () => {
      const passwords: PasswordHash = {
        hash: () => assert.fail("it hashed"),
        verify: () => assert.fail("it verified"),
      };
      const operator = await ensurePreviewOperator({ ...opened.core, passwords }, undefined);
      assert.deepEqual(operator, { username: "operator", password: { kind: "set earlier" } });
    });

    test("gets a configured password at the first start that has it, and never shows it", async () => {
      const before = (await auditOf()).length;
      for (let starts = 0; starts < 3; starts += 1) {
        const operator = await ensurePreviewOperator(opened.core, configured);
        assert.deepEqual(operator, { username: "operator", password: { kind: "configured" } });
      }
      const entries = (await auditOf()).slice(before).map((entry) => ({ ...entry }));
      assert.deepEqual(entries, [{ actor: "system", action: "operator.change_password" }]);
      assert.equal(await signIn(opened.core, configured), "ok");
    });

    test("loses its sessions if the configured password changes", async () => {
      await ensurePreviewOperator(opened.core, `${configured} changed`);
      assert.equal(await signIn(opened.core, configured), "invalid_credentials");
      const sessions = await opened.core.db.read
        .selectFrom("operator_sessions")
        .select("id")
        .execute();
      assert.deepEqual(sessions, []);
    });

    test("gets a new configured password from processes that start together", async () => {
      const cores = [opened.core, await opened.reopen(), await opened.reopen()];
      const next = `${configured} once more`;
      await Promise.all(cores.map((core) => ensurePreviewOperator(core, next)));
      assert.equal(await signIn(opened.core, next), "ok");
    });

    test("stops the start if the configured password is invalid, without showing it", async () => {
      for (const bad of ["too short", "PassWord123", "x".repeat(257)]) {
        await assert.rejects(ensurePreviewOperator(opened.core, bad), (error) => {
          assert.ok(error instanceof ConfigError);
          assert.match(error.message, /^IRONLEASE_OPERATOR_PASSWORD /);
          return !error.message.includes(bad);
        });
      }
    });

    test("stays disabled at a later start", async () => {
      // The last admin cannot be disabled.
      await addTestOperator(opened.core, "admin");
      await disableOperator(opened.core, "operator");
      await ensurePreviewOperator(opened.core, configured);
      assert.equal(await signIn(opened.core, configured), "invalid_credentials");
    });
  });
});
