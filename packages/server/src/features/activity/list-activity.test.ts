import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import { audit } from "#kernel/audit.ts";
import type { Call } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { listActivity } from "./list-activity.ts";

forEachEngine((engine) => {
  describe("the activity of an account", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    const recordAs = async (call: Call, action: string, subject: string) => {
      opened.clock.advance(1);
      await core.db.write(async (tx) => {
        await audit({ tx, core, call }, action, subject);
        return ok();
      });
    };
    const record = (accountId: string, action: string, subject: string) =>
      recordAs({ accountId, client: testClient }, action, subject);

    test("shows own changes, refused sign-ins and adjustments, newest first, without operators and their notes", async () => {
      const [ada, eve] = [await register(core), await register(core)];
      await record(ada.accountId, "api_key.create", "key_1");
      await record(eve.accountId, "api_key.create", "key_2");
      opened.clock.advance(1);
      await refuseAccess(core, testClient, { action: "session.refuse", ownerId: ada.accountId });
      const operator = await operatorCall(core, "admin");
      await recordAs(operator, "account.note", ada.accountId);
      await recordAs(operator, "account.adjust", ada.accountId);

      const entries = await listActivity(core, ada.accountId);
      assert.deepEqual(
        entries.map(({ action, subject, ipAddress }) => [action, subject, ipAddress]),
        [
          ["account.adjust", ada.accountId, null],
          ["session.refuse", ada.accountId, testClient.ipAddress],
          ["api_key.create", "key_1", testClient.ipAddress],
        ],
      );
      assert.deepEqual(Object.keys(entries[0] ?? {}), [
        "id",
        "at",
        "action",
        "subject",
        "ipAddress",
      ]);
    });

    test("pages have 100 entries without gaps or repeats, also where an entry is found both ways", async () => {
      const { accountId } = await register(core);
      for (let index = 0; index < 130; index += 1) {
        await record(accountId, "session.start", index % 2 === 0 ? accountId : `ses_${index}`);
      }
      const first = await listActivity(core, accountId);
      const second = await listActivity(core, accountId, first.at(-1)?.id);
      const ids = [...first, ...second].map(({ id }) => id);
      assert.deepEqual([first.length, second.length], [100, 30]);
      assert.deepEqual(ids, [...new Set(ids)].toSorted().toReversed());
    });
  });
});
