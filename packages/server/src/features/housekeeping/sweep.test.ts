import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { untilBlocked } from "#test/lock-waits.ts";
import { addTestOperator } from "#test/operators.ts";
import { eventsOf, subscribe } from "#test/outbox.ts";
import { recordOrders } from "#test/webhooks.ts";
import { issueSession } from "#kernel/access/account-sessions.ts";
import { beginSession } from "#kernel/access/session-secrets.ts";
import { openThread, postMessage } from "#kernel/threads.ts";
import { issueChallenge } from "#kernel/passkeys/challenges.ts";
import { queueMail } from "#kernel/mails.ts";
import { queueWork } from "#kernel/work-queue/items.ts";
import { audit } from "#kernel/audit.ts";
import { ok } from "#kernel/result.ts";
import { sweep } from "./sweep.ts";

const dayMs = 86_400_000;

forEachEngine((engine) => {
  describe("sweeping", () => {
    let opened: TestCore;
    before(async () => {
      opened = await createTestCore(engine);
    });
    after(() => opened.dispose());

    test("deletes deliveries after 30 days, sent or not", async () => {
      const { core, clock } = opened;
      const { accountId } = await register(core);
      await subscribe(core, accountId);
      await recordOrders(core, accountId, 2);
      clock.advance(30 * 24 * 3_600_000);
      await recordOrders(core, accountId);
      assert.equal((await sweep(core)).deliveries, 0);
      clock.advance(1);
      assert.equal((await sweep(core)).deliveries, 2);
      assert.equal((await eventsOf(core, accountId)).length, 1);
    });

    test("erases old addresses from the audit log if a setting says so, and nothing else", async () => {
      const { clock } = opened;
      const core = { ...opened.core, rules: { ...opened.core.rules, keepAddressesMs: dayMs } };
      const { accountId } = await register(core);
      const record = () =>
        core.db.write(async (tx) =>
          ok(await audit({ tx, core, call: { accountId, client: testClient } }, "a.step", "x")),
        );
      const entries = () =>
        core.db.read.selectFrom("audit").selectAll().where("actor", "=", accountId).execute();
      await record();
      clock.advance(dayMs);
      await sweep(core);
      const [old, ...others] = await entries();
      assert.deepEqual([old?.ip_address, others.length], [testClient.ipAddress, 0]);
      clock.advance(1);
      await record();
      assert.equal((await sweep(opened.core)).auditAddresses, 0);
      assert.equal((await sweep(core)).auditAddresses, 1);
      const [erased, young] = await entries();
      assert.deepEqual(erased, { ...old, ip_address: "" });
      assert.equal(young?.ip_address, testClient.ipAddress);
      assert.equal((await sweep(core)).auditAddresses, 0);
    });

    test("deletes expired rows and keeps the others", async () => {
      const { core, clock } = opened;
      const { accountId } = await register(core);
      const startSession = () =>
        core.db.write(async (tx) =>
          ok(await issueSession({ tx, core, call: { accountId, client: testClient } })),
        );
      const { operatorId } = await addTestOperator(core, "support");
      const startOperatorSession = () =>
        core.db.write(async (tx) => {
          const { row } = beginSession(core, testClient);
          await tx
            .insertInto("operator_sessions")
            .values({ ...row, operator_id: operatorId })
            .execute();
          return ok();
        });
      const limit = (key: string, endsInMs: number) =>
        core.db.write(async (tx) => {
          const row = { key, count: 1, window_ends_at: clock.now() + endsInMs };
          await tx.insertInto("rate_limits").values(row).execute();
          return ok();
        });
      const claim = (leaseMs: number) =>
        core.db.write(async (tx) => {
          await queueWork({ tx, core }, [{ kind: "PROVISION", accountId, detail: {} }]);
          await tx
            .updateTable("work")
            .set({ state: "CLAIMED", claimed_by: "opr_x", lease_until: clock.now() + leaseMs })
            .where("state", "=", "OPEN")
            .execute();
          return ok();
        });
      const seal = (expiresInMs: number) =>
        core.db.write(async (tx) => {
          const threadId = await openThread({ tx, core }, { accountId, subject: "x" }, "CUSTOMER");
          const expiresAt = clock.now() + expiresInMs;
          const sealed = { fingerprint: "SHA256:x", ciphertext: "age", expiresAt };
          const letter = { threadId, accountId, text: "x", sealed };
          await postMessage({ tx, core }, letter, { sender: "CUSTOMER" });
          return ok();
        });
      await seal(1_000);
      await seal(100 * 86_400_000);
      const addMail = (ageMs: number) =>
        core.db.write(async (tx) => {
          const notice = { kind: "MESSAGES", topic: "message.received" } as const;
          const then = { ...core, clock: { now: () => clock.now() + ageMs } };
          await queueMail({ tx, core: then }, accountId, "ada@example.com", notice);
          return ok();
        });
      const seeNetwork = (network: string, ageMs: number) =>
        core.db.write(async (tx) => {
          const row = { account_id: accountId, network, seen_at: clock.now() + ageMs };
          await tx.insertInto("seen_networks").values(row).execute();
          return ok();
        });
      const challenge = () =>
        core.db.write(async (tx) => {
          await issueChallenge(tx, core, { signInTo: "account" });
          return ok();
        });
      await challenge();
      await startSession();
      await startOperatorSession();
      await startOperatorSession();
      await limit("short", 1_000);
      await limit("long", 10 * 3_600_000);
      await claim(1_000);
      clock.advance(core.rules.sessionIdleMs);
      await challenge();
      await addMail(-3 * 86_400_000);
      await addMail(0);
      await seeNetwork("192.0.2.0/24", -90 * 86_400_000);
      await seeNetwork("198.51.100.0/24", 0);
      await startSession();
      await startOperatorSession();
      await claim(1_000);

      assert.deepEqual(await sweep(core), {
        sessions: 1,
        operatorSessions: 2,
        rateLimits: 1,
        liabilityChunks: 0,
        auditAddresses: 0,
        passkeyChallenges: 1,
        leases: 1,
        sealedTexts: 1,
        deliveries: 0,
        mails: 1,
        networks: 1,
        runs: 0,
      });
      assert.deepEqual(await sweep(core), {
        sessions: 0,
        operatorSessions: 0,
        rateLimits: 0,
        liabilityChunks: 0,
        auditAddresses: 0,
        passkeyChallenges: 0,
        leases: 0,
        sealedTexts: 0,
        deliveries: 0,
        mails: 0,
        networks: 0,
        runs: 0,
      });
      const left = core.db.read
        .selectFrom("sealed_texts")
        .select("ciphertext")
        .orderBy("expires_at");
      assert.deepEqual(await left.execute(), [{ ciphertext: null }, { ciphertext: "age" }]);
      const states = await core.db.read
        .selectFrom("work")
        .select(["state", "claimed_by"])
        .orderBy("id")
        .execute();
      assert.deepEqual(
        states.map(({ state, claimed_by }) => [state, claimed_by]),
        [
          ["OPEN", null],
          ["CLAIMED", "opr_x"],
        ],
      );
    });

    test("a lease that its holder renews while the sweep waits stays valid", async () => {
      const { core, clock } = opened;
      const other = await opened.reopen();
      const { accountId } = await register(core);
      const lease = { state: "CLAIMED", claimed_by: "opr_x" } as const;
      await core.db.write(async (tx) => {
        await queueWork({ tx, core }, [{ kind: "PROVISION", accountId, detail: {} }]);
        await tx
          .updateTable("work")
          .set({ ...lease, lease_until: clock.now() })
          .where("account_id", "=", accountId)
          .execute();
        return ok();
      });
      let sweeping: Promise<unknown> = Promise.resolve();
      await core.db.write(async (tx) => {
        const renewed = { lease_until: clock.now() + 1_000 };
        await tx.updateTable("work").set(renewed).where("account_id", "=", accountId).execute();
        sweeping = sweep(other);
        await untilBlocked(core.db);
        return ok();
      });
      await sweeping;
      const work = await core.db.read
        .selectFrom("work")
        .select(["state", "claimed_by"])
        .where("account_id", "=", accountId)
        .execute();
      assert.deepEqual(
        work.map((row) => ({ ...row })),
        [lease],
      );
    });
  });
});
