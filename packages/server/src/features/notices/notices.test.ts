import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { limits } from "@ironlease/contract";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { runOverlapping } from "#test/lock-waits.ts";
import { operatorCall } from "#test/operators.ts";
import { eventsOf, subscribe } from "#test/outbox.ts";
import { stockUp } from "#test/rental-service.ts";
import { endServer, seedServer } from "#test/rental.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import { listAllNotices } from "./list-all-notices.ts";
import { listNotices } from "./list-notices.ts";
import { publishNotice } from "./publish-notice.ts";
import { withdrawNotice } from "./withdraw-notice.ts";

const hourMs = 3_600_000;

forEachEngine((engine) => {
  describe("notices", () => {
    let opened: TestCore;
    let core: Core;
    let support: OperatorCall;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
      await stockUp(core);
      support = await operatorCall(core, "support");
    });
    after(() => opened.dispose());

    const soon = (hours: number) => isoTime(core.clock.now() + hours * hourMs);
    const request = (fields: object = {}) => ({
      kind: "MAINTENANCE" as const,
      title: "Power maintenance",
      text: "Servers stay on.",
      startsAt: soon(-1),
      endsAt: soon(1),
      ...fields,
    });
    const publish = (fields: object = {}) => publishNotice(core, support, request(fields));
    const titlesFor = async (accountId: string) =>
      (await listNotices(core, accountId)).map(({ title }) => title);

    test("each account that a notice is about gets one event", async () => {
      const [ada, eve] = [await register(core), await register(core)];
      await seedServer(core, ada.accountId);
      const ended = await seedServer(core, eve.accountId);
      await endServer(core, eve.accountId, ended);
      const hers = await seedServer(core, eve.accountId);
      for (const { accountId } of [ada, eve]) await subscribe(core, accountId);
      await valueOf(publish({ title: "all" }));
      await valueOf(publish({ title: "region", regionIds: ["fra"] }));
      await valueOf(publish({ title: "elsewhere", regionIds: ["ams"] }));
      await valueOf(publish({ title: "hers", serverIds: [hers.id] }));
      const told = async (accountId: string) =>
        (await eventsOf(core, accountId))
          .filter(({ event }) => event === "notice.published")
          .map(({ data }) => data["title"]);
      assert.deepEqual(await told(ada.accountId), ["all", "region"]);
      assert.deepEqual(await told(eve.accountId), ["all", "region", "hers"]);
      for (const { id } of await listAllNotices(core)) await withdrawNotice(core, support, id);
    });

    test("a notice reaches everyone, customers of a region, or owners of a server, until it ends", async () => {
      const [ada, eve] = [await register(core), await register(core)];
      const server = await seedServer(core, ada.accountId);
      const other = await seedServer(core, eve.accountId);
      const ended = await seedServer(core, eve.accountId);
      await endServer(core, eve.accountId, ended);
      await valueOf(publish({ title: "all", startsAt: soon(-2) }));
      await valueOf(publish({ title: "elsewhere", regionIds: ["ams"] }));
      await valueOf(
        publish({ title: "here", regionIds: ["fra", "ams", "fra"], startsAt: soon(0) }),
      );
      const both = { serverIds: [server.id, other.id], startsAt: soon(0.5) };
      await valueOf(publish({ title: "both", ...both }));
      await valueOf(publish({ title: "hers", serverIds: [other.id] }));
      assert.deepEqual(await titlesFor(ada.accountId), ["all", "here", "both"]);
      const [, here, mine] = await listNotices(core, ada.accountId);
      assert.deepEqual([...(here?.regionIds ?? [])].toSorted(), ["ams", "fra"]);
      assert.deepEqual(mine?.serverIds, [server.id], "another customer's server is not named");
      const former = await register(core);
      await endServer(core, former.accountId, await seedServer(core, former.accountId));
      assert.deepEqual(await titlesFor(former.accountId), ["all"]);
      assert.equal(await codeOf(publish({ serverIds: [ended.id] })), "validation_failed");
      opened.clock.advance(hourMs);
      assert.deepEqual(await titlesFor(ada.accountId), []);
      assert.equal((await listAllNotices(core)).length, 5, "operators still see them");
    });

    test("invalid times, regions and servers are refused with their field", async () => {
      const fault = async (fields: object) => (await fieldsOf(publish(fields)))?.[0]?.field;
      assert.equal(await fault({ startsAt: "tomorrow" }), "startsAt");
      assert.equal(await fault({ endsAt: "2026-02-30T00:00:00Z" }), "endsAt");
      assert.equal(await fault({ startsAt: soon(2), endsAt: soon(2) }), "endsAt");
      assert.equal(await fault({ startsAt: soon(-2), endsAt: soon(0) }), "endsAt");
      assert.equal(await fault({ title: "  " }), "title");
      assert.equal(await fault({ text: "\n" }), "text");
      assert.equal(await fault({ regionIds: ["fra", "atlantis"] }), "regionIds.1");
      assert.equal(await fault({ serverIds: [core.ids.next("server")] }), "serverIds.0");
    });

    test("withdrawing deletes a notice once, and both steps are audited", async () => {
      const { accountId } = await register(core);
      const { id } = await valueOf(publish({ title: "mistake", regionIds: ["fra"] }));
      await valueOf(withdrawNotice(core, support, id));
      assert.equal(await codeOf(withdrawNotice(core, support, id)), "not_found");
      assert.deepEqual(await titlesFor(accountId), []);
      const entries = await core.db.read
        .selectFrom("audit")
        .select(["action", "actor"])
        .where("subject", "=", id)
        .orderBy("id")
        .execute();
      const { operatorId: actor } = support.operator;
      assert.deepEqual(
        entries.map((entry) => ({ ...entry })),
        [
          { action: "notice.publish", actor },
          { action: "notice.withdraw", actor },
        ],
      );
    });

    test("20 concurrent operators cannot exceed the limit of current notices", async () => {
      const current = async () => {
        const now = core.clock.now();
        return (await listAllNotices(core)).filter(({ endsAt }) => endsAt > now).length;
      };
      for (let count = await current(); count < limits.currentNotices - 1; count += 1) {
        await valueOf(publish());
      }
      const codes = await runOverlapping(core, 20, (own) =>
        codeOf(publishNotice(own, support, request())),
      );
      assert.equal(codes.filter((code) => code === "ok").length, 1, codes.join());
      assert.deepEqual(
        new Set(codes.filter((code) => code !== "ok" && code !== "conflict")),
        new Set(["limit_reached"]),
      );
      opened.clock.advance(hourMs);
      assert.equal(await codeOf(publish()), "ok", "ended notices do not count");
    });
  });
});
