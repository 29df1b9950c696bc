import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold, endServer, seedServer, setServerState } from "#test/rental.ts";
import { codeOf, freshKey, intentOf, traceCountsOf, tracesOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { requestAction } from "./request-action.ts";

type Input = Omit<Parameters<typeof requestAction>[2], "serverId">;

const reboot: Input = { action: "reboot" };
const isoUrl = "https://images.debian.org/netinst.iso";
const mount: Input = { action: "mount_iso", isoUrl };
const one = { requests: 1, work: 1, keys: 1, audits: 1 };

forEachEngine((engine) => {
  describe("keys of server actions", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    const request = (
      accountId: string,
      serverId: string,
      input: Input,
      key = freshKey(),
      through = core,
    ) =>
      requestAction(
        through,
        { accountId, client: testClient, intent: intentOf("requestAction", key) },
        { serverId, ...input },
      );

    test("the same key and request return the existing action, even with isoUrl in another notation", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      const key = freshKey();
      const first = await valueOf(request(accountId, id, mount, key));
      const spelled = { ...mount, isoUrl: "HTTPS://IMAGES.debian.org:443/x/../netinst.iso" };
      const again = await valueOf(request(accountId, id, spelled, key));
      assert.deepEqual(again, { ...first, replayed: true });
      assert.deepEqual(await traceCountsOf(core, accountId), one);
    });

    test("the same key with another action, isoUrl or server is a conflict", async () => {
      const { accountId } = await register(core);
      const [server, other] = [
        await seedServer(core, accountId),
        await seedServer(core, accountId),
      ];
      const key = freshKey();
      await valueOf(request(accountId, server.id, mount, key));
      const elsewhere = { ...mount, isoUrl: `${isoUrl}2` };
      for (const [id, input] of [
        [server.id, reboot],
        [server.id, elsewhere],
        [other.id, mount],
      ] as const) {
        assert.equal(await codeOf(request(accountId, id, input, key)), "idempotency_conflict");
      }
      assert.deepEqual(await traceCountsOf(core, accountId), one);
    });

    test("two accounts may use the same key independently", async () => {
      const key = freshKey();
      for (const { accountId } of [await register(core), await register(core)]) {
        const { id } = await seedServer(core, accountId);
        const { replayed } = await valueOf(request(accountId, id, reboot, key));
        assert.equal(replayed, false);
      }
    });

    test("a replay works after the server leaves ACTIVE, but not after it ends", async () => {
      const { accountId } = await register(core);
      const server = await seedServer(core, accountId);
      const key = freshKey();
      const first = await valueOf(request(accountId, server.id, reboot, key));
      await setServerState(core, server, "SUSPENDED");
      const again = await valueOf(request(accountId, server.id, reboot, key));
      assert.deepEqual(again, { ...first, replayed: true });
      assert.equal(await codeOf(request(accountId, server.id, reboot)), "server_not_ready");
      await endServer(core, accountId, server);
      assert.equal(await codeOf(request(accountId, server.id, reboot, key)), "not_found");
    });

    test("a refused request leaves its key unused, so that it can be retried", async () => {
      const { accountId } = await register(core);
      const server = await seedServer(core, accountId, { state: "SUSPENDED" });
      const key = freshKey();
      assert.equal(await codeOf(request(accountId, server.id, reboot, key)), "server_not_ready");
      const nothing = { requests: 0, work: 0, keys: 0, audits: 0 };
      assert.deepEqual(await traceCountsOf(core, accountId), nothing);
      await setServerState(core, server, "ACTIVE");
      assert.equal((await valueOf(request(accountId, server.id, mount, key))).replayed, false);
    });

    test("fields are checked before ownership, ownership before the key, and the key before the state", async () => {
      const [{ accountId }, eve] = [await register(core), await register(core)];
      const mine = await seedServer(core, accountId);
      const suspended = await seedServer(core, accountId, { state: "SUSPENDED" });
      const foreign = await seedServer(core, eve.accountId);
      const key = freshKey();
      await valueOf(request(accountId, mine.id, reboot, key));
      const ask = (id: string, input: Input, usedKey = key) =>
        codeOf(request(accountId, id, input, usedKey));
      assert.equal(await ask(foreign.id, { ...reboot, isoUrl }), "validation_failed");
      assert.equal(await ask(foreign.id, reboot), "not_found");
      assert.equal(await ask(suspended.id, reboot), "idempotency_conflict");
      assert.equal(await ask(suspended.id, reboot, freshKey()), "server_not_ready");
    });

    test("100 concurrent requests with one key create one action and get one answer", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      const [key, other] = [freshKey(), await opened.reopen()];
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          valueOf(request(accountId, id, reboot, key, index % 2 === 0 ? core : other)),
        ),
      );
      assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
      const report = new Set(answers.map(({ status, body }) => JSON.stringify([status, body])));
      assert.equal(report.size, 1);
      assert.deepEqual(await traceCountsOf(core, accountId), one);
      await assertInvariantsHold(core.db);
    });

    test("one key used on two servers concurrently has one effect, and the other server gets conflicts", async () => {
      const { accountId } = await register(core);
      const servers = [await seedServer(core, accountId), await seedServer(core, accountId)];
      const key = freshKey();
      const asked = Array.from({ length: 40 }, (_, index) => servers[index % 2]!.id);
      const codes = await Promise.all(
        asked.map((id) => codeOf(request(accountId, id, reboot, key))),
      );
      assert.deepEqual(await traceCountsOf(core, accountId), one);
      const winner = (await tracesOf(core, accountId)).actions[0]!.server_id;
      const expected = asked.map((id) => (id === winner ? "ok" : "idempotency_conflict"));
      assert.deepEqual(codes, expected);
    });
  });
});
