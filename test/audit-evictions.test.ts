import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { limits } from "@ironlease/contract";
import { registerAccount } from "#server/features/accounts/register-account.ts";
import { createApiKey } from "#server/features/api-keys/create-api-key.ts";
import { signInOperator } from "#server/features/operators/sign-in-operator.ts";
import { signIn } from "#server/features/sessions/sign-in.ts";
import type { Core } from "#server/kernel/core.ts";
import { isoTime } from "#server/kernel/iso-time.ts";
import { createTestCore, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { addTestOperator } from "#test/operators.ts";
import { valueOf } from "#test/use-cases.ts";

const password = "a long pass phrase";

forEachEngine((engine) => {
  describe("the audit of sessions and keys that a new one replaces", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    const entries = async (...actions: string[]) => {
      const rows = await core.db.read
        .selectFrom("audit")
        .select(["actor", "action", "subject", "detail", "ip_address"])
        .where("action", "in", actions)
        .orderBy("id")
        .execute();
      return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as unknown }));
    };
    const sessionIds = async (table: "sessions" | "operator_sessions") => {
      const query = core.db.read.selectFrom(table).select("id").orderBy("created_at").orderBy("id");
      return (await query.execute()).map(({ id }) => id);
    };
    const newAccount = async (username: string) => {
      const { sessionToken } = await valueOf(
        registerAccount(core, testClient, { username, password }),
      );
      const { id } = await core.db.read
        .selectFrom("accounts")
        .select("id")
        .where("username", "=", username)
        .executeTakeFirstOrThrow();
      return { accountId: id, sessionToken };
    };
    const from = { ip_address: testClient.ipAddress };

    test("a sign-in audits the session it ends under that session's account", async () => {
      const ada = await newAccount("ada");
      await newAccount("bob");
      const [session] = await core.db.read
        .selectFrom("sessions")
        .select("id")
        .where("account_id", "=", ada.accountId)
        .execute();
      const presentedSessionToken = ada.sessionToken;
      const input = { username: "bob", password, presentedSessionToken };
      await valueOf(signIn(core, testClient, input));
      // The token is no longer valid, so presenting it again ends nothing.
      await valueOf(signIn(core, testClient, input));
      assert.deepEqual(await entries("session.end"), [
        {
          actor: ada.accountId,
          action: "session.end",
          subject: session?.id,
          ...from,
          detail: { cause: "sign_in" },
        },
      ]);
    });

    test("a sign-in audits the session that the limit evicts", async () => {
      const { accountId } = await newAccount("carol");
      const input = { username: "carol", password, presentedSessionToken: undefined };
      const [oldest] = (await sessionIds("sessions")).slice(-1);
      for (let count = 0; count < limits.sessionsPerAccount; count += 1) {
        opened.clock.advance(1);
        await valueOf(signIn(core, testClient, input));
      }
      assert.deepEqual(await entries("session.evict"), [
        { actor: accountId, action: "session.evict", subject: oldest, detail: {}, ...from },
      ]);
    });

    test("an operator's sign-in audits the session it ends and the session it evicts", async () => {
      const { username, operatorId } = await addTestOperator(core, "support", { password });
      const signInAgain = async (presentedSessionToken?: string) => {
        opened.clock.advance(1);
        const input = { username, password, presentedSessionToken };
        return (await valueOf(signInOperator(core, testClient, input))).sessionToken;
      };
      const token = await signInAgain();
      const [ended] = await sessionIds("operator_sessions");
      await signInAgain(token);
      const [oldest] = await sessionIds("operator_sessions");
      for (let count = 0; count < limits.operatorSessions; count += 1) await signInAgain();
      const entry = { actor: operatorId, subject: operatorId, ...from };
      assert.deepEqual(await entries("operator.sign_out", "operator.evict_session"), [
        { ...entry, action: "operator.sign_out", detail: { sessionId: ended, cause: "sign_in" } },
        { ...entry, action: "operator.evict_session", detail: { sessionId: oldest } },
      ]);
    });

    test("a new key audits the expired keys it displaces", async () => {
      const { accountId } = await newAccount("dave");
      const create = (expiresAt: string | null) =>
        valueOf(
          createApiKey(
            core,
            { accountId, client: testClient },
            { name: "k", scope: "read", expiresAt },
          ),
        );
      const soon = isoTime(core.clock.now() + 1_000);
      const expired = [await create(soon), await create(soon)].map(({ id }) => id);
      for (let count = 2; count < limits.apiKeysPerAccount; count += 1) await create(null);
      opened.clock.advance(1_000);
      await create(null);
      const entry = { actor: accountId, action: "api_key.displace", detail: {}, ...from };
      assert.deepEqual(
        await entries("api_key.displace"),
        expired.map((subject) => ({ ...entry, subject })),
      );
    });
  });
});
