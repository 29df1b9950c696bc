import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ok } from "#kernel/result.ts";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { eventsOf, subscribe } from "#test/outbox.ts";
import { disableSubscriber } from "./deliveries.ts";
import { recordEventForMany } from "./record-event.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  before(async () => {
    opened = await createTestCore(engine);
  });
  after(() => opened.dispose());

  test("an event for many accounts goes to those that are named or to all, if they want it", async () => {
    const { core } = opened;
    const accounts: string[] = [];
    for (let count = 0; count < 4; count += 1) accounts.push((await register(core)).accountId);
    const [ada = "", bob = "", eve = "", off = ""] = accounts;
    await subscribe(core, ada);
    await subscribe(core, bob, ["notice.published"]);
    await subscribe(core, eve, ["server.active", "server.grace"]);
    const disabled = await subscribe(core, off);
    const publish = (to: readonly string[] | "all") =>
      core.db.write(async (tx) => {
        const scope = { tx, core };
        await disableSubscriber(scope, disabled);
        const event = { type: "notice.published", data: { noticeId: "ntc_1" } } as const;
        return ok(await recordEventForMany(scope, to, event));
      });
    const counts = () => Promise.all(accounts.map(async (id) => (await eventsOf(core, id)).length));
    await publish([ada, ada, eve, off]);
    assert.deepEqual(await counts(), [1, 0, 0, 0]);
    await publish("all");
    assert.deepEqual(await counts(), [2, 1, 0, 0]);
  });
});
