import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { serverStates } from "@ironlease/contract";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold, seedServer } from "#test/rental.ts";
import { codeOf, tracesOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { listServers } from "./list-servers.ts";
import { setRenewal } from "./set-renewal.ts";

forEachEngine((engine) => {
  describe("automatic renewal", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    const set = (accountId: string, serverId: string, autoRenew: boolean) =>
      setRenewal(core, { accountId, client: testClient }, { serverId, autoRenew });

    for (const state of serverStates) {
      const code = state === "TERMINATED" ? "not_found" : "ok";
      test(`a server that is ${state} answers ${code}`, async () => {
        const { accountId } = await register(core);
        const { id } = await seedServer(core, accountId, { state });
        assert.equal(await codeOf(set(accountId, id, false)), code);
        const { audits } = await tracesOf(core, accountId);
        assert.equal(audits.length, code === "ok" ? 1 : 0);
      });
    }

    test("the answer is the server's record, and the list shows the same", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      const [then] = await listServers(core, accountId);
      for (const autoRenew of [false, true]) {
        const record = await valueOf(set(accountId, id, autoRenew));
        assert.deepEqual({ ...record }, { ...then, autoRenew: autoRenew ? 1 : 0 });
        assert.deepEqual(
          (await listServers(core, accountId)).map((listed) => ({ ...listed })),
          [{ ...record }],
        );
      }
    });

    test("only a change is audited, and only that server changes", async () => {
      const { accountId } = await register(core);
      const [server, other] = [
        await seedServer(core, accountId),
        await seedServer(core, accountId),
      ];
      for (const autoRenew of [true, false, false, true])
        await set(accountId, server.id, autoRenew);
      await set(accountId, server.id, false);
      const { audits } = await tracesOf(core, accountId);
      assert.deepEqual(
        audits.map(({ action, subject, detail }) => [
          action,
          subject,
          JSON.parse(detail).autoRenew,
        ]),
        [false, true, false].map((autoRenew) => ["server.set_renewal", server.id, autoRenew]),
      );
      const listed = await listServers(core, accountId);
      assert.deepEqual(
        listed.map(({ id, autoRenew }) => [id, autoRenew]),
        [
          [other.id, 1],
          [server.id, 0],
        ],
      );
      await assertInvariantsHold(core.db);
    });

    test("another account's and an unknown server get the same not_found and stay unchanged", async () => {
      const [{ accountId }, eve] = [await register(core), await register(core)];
      const foreign = await seedServer(core, eve.accountId);
      for (const id of [foreign.id, core.ids.next("server")]) {
        assert.deepEqual(await set(accountId, id, false), {
          ok: false,
          refusal: { code: "not_found" },
        });
      }
      assert.equal((await listServers(core, eve.accountId))[0]!.autoRenew, 1);
    });

    test("50 concurrent switches are audited once per actual change", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => set(accountId, id, index % 2 === 0)),
      );
      const { audits } = await tracesOf(core, accountId);
      const changes = audits.map(({ detail }) => JSON.parse(detail).autoRenew as boolean);
      const [switchedOff, switchedOn] = [false, true].map(
        (autoRenew) => changes.filter((change) => change === autoRenew).length,
      );
      // Each change reverses the one before, starting from on.
      const [record] = await listServers(core, accountId);
      assert.equal(switchedOff! - switchedOn!, 1 - record!.autoRenew);
    });
  });
});
