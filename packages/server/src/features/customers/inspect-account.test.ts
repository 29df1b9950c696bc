import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { seedServer } from "#test/rental.ts";
import { codeOf, intentOf, valueOf } from "#test/use-cases.ts";
import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { adjustBalance } from "./adjust-balance.ts";
import { freezeAccount } from "./freeze-account.ts";
import { inspectAccount } from "./inspect-account.ts";
import { suspendServer } from "./suspend-server.ts";
import { systemCall } from "#kernel/call.ts";

const hourMs = 3_600_000;

forEachEngine((engine) => {
  describe("inspecting an account", () => {
    let testCore: TestCore;
    let core: Core;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
    });
    after(() => testCore.dispose());

    const inspect = (accountId: string) => valueOf(inspectAccount(core, accountId));
    const note = ({ actor, subject, action }: Record<"actor" | "subject" | "action", string>) =>
      core.db.write(async (tx) => {
        await audit({ tx, core, call: { ...systemCall, actor } }, action, subject);
        return ok();
      });

    test("an unknown account is not found, and a new one is empty", async () => {
      assert.equal(await codeOf(inspectAccount(core, "acc_unknown")), "not_found");
      const { accountId, username } = await register(core);
      assert.deepEqual(await inspect(accountId), {
        id: accountId,
        username,
        balanceCents: 0,
        heldCents: 0,
        createdAt: core.clock.now(),
        closedAt: null,
        frozenAt: null,
        frozenReason: null,
        sessions: 0,
        apiKeys: 0,
        servers: [],
        withdrawals: [],
        audit: [],
      });
    });

    test("ended servers are included, newest first, and other accounts' are not", async () => {
      const [{ accountId }, other] = [await register(core), await register(core)];
      const ended = await seedServer(core, accountId, { state: "TERMINATED" });
      const living = await seedServer(core, accountId, { state: "GRACE", priceCents: 700 });
      await seedServer(core, other.accountId);
      const { servers } = await inspect(accountId);
      assert.deepEqual(
        servers.map(({ id, state }) => [id, state]),
        [
          [living.id, "GRACE"],
          [ended.id, "TERMINATED"],
        ],
      );
      const [newest] = servers;
      assert.deepEqual(
        [newest?.machineId, newest?.priceCents, newest?.ddosQuoteCents],
        [living.machineId, 700, null],
      );
    });

    test("only usable sessions and unexpired keys are counted", async () => {
      const { accountId } = await register(core);
      const now = core.clock.now();
      await core.db.write(async (tx) => {
        const base = { account_id: accountId, created_at: now, ip_address: "", user_agent: "" };
        for (const [last_seen_at, ends_at] of [
          [now, now + hourMs],
          [now - core.rules.sessionIdleMs, now + hourMs],
          [now, now],
        ] as const) {
          const id = core.ids.next("session");
          await tx
            .insertInto("sessions")
            .values({ ...base, id, token_hash: id, last_seen_at, ends_at })
            .execute();
        }
        for (const expires_at of [null, now + 1, now]) {
          const id = core.ids.next("apiKey");
          await tx
            .insertInto("api_keys")
            .values({
              id,
              account_id: accountId,
              name: "x",
              scope: "read",
              prefix: "svk_",
              token_hash: id,
              created_at: now,
              expires_at,
            })
            .execute();
        }
        return ok();
      });
      const { sessions, apiKeys } = await inspect(accountId);
      assert.deepEqual([sessions, apiKeys], [1, 2]);
    });

    test("the audit has each action by the account or on it, its servers and its work exactly once", async () => {
      const { accountId, username } = await register(core);
      const call = await operatorCall(core, "admin");
      const server = await seedServer(core, accountId);
      const intent = intentOf("adjustBalance");
      await valueOf(adjustBalance(core, { ...call, intent }, { accountId, usd: 5, reason: "x" }));
      testCore.clock.advance(1);
      await valueOf(suspendServer(core, call, { serverId: server.id, reason: "x" }));
      testCore.clock.advance(1);
      await note({ actor: accountId, subject: accountId, action: "session.start" });
      testCore.clock.advance(1);
      await valueOf(freezeAccount(core, call, { accountId, reason: "x" }));
      await note({ actor: "system", subject: "another subject", action: "x.y" });
      const { audit: entries, frozenAt, balanceCents } = await inspect(accountId);
      assert.deepEqual(
        entries.map(({ actorName, action }) => [actorName, action]),
        [
          [call.operator.username, "account.freeze"],
          [username, "session.start"],
          [call.operator.username, "server.suspend"],
          [call.operator.username, "account.adjust"],
        ],
      );
      assert.deepEqual(entries[0]?.detail, { reason: "x" });
      assert.equal(entries[0]?.at, frozenAt);
      assert.equal(balanceCents, 500);
    });

    test("a long history returns the latest 100 of each list", async () => {
      const { accountId } = await register(core);
      const servers = [];
      for (let n = 0; n < 101; n += 1) {
        servers.push((await seedServer(core, accountId, { addressSets: 0 })).id);
        await note({ actor: accountId, subject: accountId, action: `n.${n}` });
      }
      const found = await inspect(accountId);
      assert.deepEqual(
        found.servers.map(({ id }) => id),
        servers.slice(1).toReversed(),
      );
      assert.equal(found.audit.length, 100);
      assert.deepEqual([found.audit[0]?.action, found.audit[99]?.action], ["n.100", "n.1"]);
    });

    test("an inspection takes four queries, regardless of the amount of data", async () => {
      const { accountId } = await register(core);
      await seedServer(core, accountId);
      let queries = 0;
      const read = new Proxy(core.db.read, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name, target);
          if (typeof member !== "function") return member;
          if (name === "selectFrom" || name === "getExecutor") queries += 1;
          return member.bind(target);
        },
      });
      await valueOf(inspectAccount({ ...core, db: { ...core.db, read } }, accountId));
      assert.equal(queries, 4);
    });
  });
});
