import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { endServer, seedServer } from "#test/rental.ts";
import { codeOf, tracesOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { listServers } from "./list-servers.ts";
import { readServer } from "./read-server.ts";
import { setLabel } from "./set-label.ts";

forEachEngine((engine) => {
  describe("labels of servers", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    const set = (accountId: string, serverId: string, label: string) =>
      setLabel(core, { accountId, client: testClient }, { serverId, label });

    test("the record, the list and the detail show the label, and only a change is audited", async () => {
      const { accountId } = await register(core);
      const { id } = await seedServer(core, accountId);
      assert.equal((await listServers(core, accountId))[0]?.label, "");
      for (const label of [" Shop 🗄 ", "Shop 🗄", "x".repeat(64), ""]) {
        const record = await valueOf(set(accountId, id, label));
        assert.equal(record.label, label.trim());
        const [listed] = await listServers(core, accountId);
        assert.deepEqual({ ...listed }, { ...record });
        assert.equal((await valueOf(readServer(core, accountId, id))).record.label, label.trim());
      }
      const { audits } = await tracesOf(core, accountId);
      assert.deepEqual(
        audits.map(({ action, subject }) => [action, subject]),
        ["Shop 🗄", "x".repeat(64), ""].map(() => ["server.set_label", id]),
      );
    });

    test("another account's, an unknown and a terminated server are not_found and keep their label", async () => {
      const [{ accountId }, eve] = [await register(core), await register(core)];
      const own = await seedServer(core, accountId);
      await set(accountId, own.id, "mine");
      for (const id of [own.id, core.ids.next("server")]) {
        assert.equal(await codeOf(set(eve.accountId, id, "hers")), "not_found");
      }
      assert.equal((await listServers(core, accountId))[0]?.label, "mine");
      await endServer(core, accountId, own);
      assert.equal(await codeOf(set(accountId, own.id, "gone")), "not_found");
    });
  });
});
