import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resumeServer, suspendServer } from "#server/features/customers/suspend-server.ts";
import { requestAction } from "#server/features/servers/request-action.ts";
import { renewDueServers } from "#server/features/renewals/renew-due-servers.ts";
import type { Core } from "#server/kernel/core.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { ServerState } from "#server/ports/schema.ts";
import { ok } from "#server/kernel/result.ts";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { completeNow, queueAction } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { untilBlocked } from "#test/lock-waits.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold, seedServer } from "#test/rental.ts";
import { codeOf, intentOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork } from "#test/work.ts";

const reason = "abuse report 17";

forEachEngine((engine) => {
  describe("suspensions and their power work", () => {
    let testCore: TestCore;
    let core: Core;
    let call: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      call = await operatorCall(core, "admin");
    });
    after(() => testCore.dispose());

    const serverIn = async (state: ServerState) => {
      const { accountId } = await register(core);
      return (await seedServer(core, accountId, { state })).id;
    };
    const stateOf = async (id: string) => {
      const rows = core.db.read.selectFrom("servers").select("state").where("id", "=", id);
      return (await rows.executeTakeFirstOrThrow()).state;
    };
    const suspend = (id: string) => valueOf(suspendServer(core, call, { serverId: id, reason }));
    const resume = (id: string) => valueOf(resumeServer(core, call, { serverId: id, reason }));
    const itemsOf = (id: string, hasAction: "is" | "is not" = "is") =>
      core.db.read
        .selectFrom("work")
        .selectAll()
        .where("server_id", "=", id)
        .where("kind", "=", "SERVER_ACTION")
        .where("action_id", hasAction, null)
        .orderBy("id")
        .execute();
    /** The power work items of a server, with their state and outcome. */
    const powerOf = async (id: string) =>
      (await itemsOf(id)).map(({ detail, state, outcome }) => [
        (JSON.parse(detail) as { action: string }).action,
        ...[state, outcome],
      ]);

    test("the reason and time are stored only while the server is suspended", async () => {
      const id = await serverIn("ACTIVE");
      const suspended = await valueOf(
        suspendServer(core, call, { serverId: id, reason: ` ${reason} ` }),
      );
      const since = core.clock.now();
      assert.deepEqual([suspended.suspendedAt, suspended.suspensionReason], [since, reason]);
      testCore.clock.advance(1_000);
      const again = await valueOf(suspendServer(core, call, { serverId: id, reason: "another" }));
      assert.deepEqual([again.suspendedAt, again.suspensionReason], [since, reason]);
      const resumed = await valueOf(resumeServer(core, call, { serverId: id, reason }));
      assert.deepEqual([resumed.suspendedAt, resumed.suspensionReason], [null, null]);

      await valueOf(suspendServer(core, call, { serverId: id, reason }));
      testCore.clock.advance(60 * 86_400_000);
      await renewDueServers(core);
      assert.equal(await stateOf(id), "TERMINATED");
      assert.deepEqual(await powerOf(id), [
        ["power_off", "FAILED", "WITHDRAWN"],
        ["power_off", "FAILED", "SERVER_ENDED"],
      ]);
      const ended = await core.db.read
        .selectFrom("servers")
        .select(["suspended_at", "suspension_reason"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      assert.deepEqual([ended.suspended_at, ended.suspension_reason], [null, null]);
    });

    test("suspending queues a power-off and resuming queues a reboot, with the reason and without a customer action", async () => {
      const id = await serverIn("ACTIVE");
      await suspend(id);
      const [cut] = await itemsOf(id);
      assert.deepEqual(
        [cut?.kind, cut?.state, cut?.action_id, JSON.parse(cut?.detail ?? "")],
        ["SERVER_ACTION", "OPEN", null, { action: "power_off", reason }],
      );
      await suspend(id);
      assert.equal((await itemsOf(id)).length, 1);
      await completeNow(core, cut?.id ?? "");
      await resume(id);
      assert.deepEqual(await powerOf(id), [
        ["power_off", "DONE", "PERFORMED"],
        ["reboot", "OPEN", null],
      ]);
    });

    test("a resume that waits for the commit of a claim supersedes the power-off and queues a reboot", async () => {
      const id = await serverIn("ACTIVE");
      await suspend(id);
      const [cut] = await itemsOf(id);
      let resuming: Promise<unknown> | undefined;
      await core.db.write(async (tx) => {
        const claimed = { state: "CLAIMED", lease_until: core.clock.now() + 60_000 } as const;
        await tx
          .updateTable("work")
          .set({ ...claimed, claimed_by: call.operator.operatorId })
          .where("id", "=", cut?.id ?? "")
          .execute();
        resuming ??= resume(id);
        await untilBlocked(core.db);
        return ok();
      });
      await resuming;
      assert.deepEqual(await powerOf(id), [
        ["power_off", "FAILED", "SUPERSEDED"],
        ["reboot", "OPEN", null],
      ]);
    });

    test("a reboot queued by an operator does not count towards the limit of open actions", async () => {
      const id = await serverIn("ACTIVE");
      await suspend(id);
      await completeNow(core, (await itemsOf(id))[0]?.id ?? "");
      await resume(id);
      const bounded: Core = {
        ...core,
        rules: { ...core.rules, openActions: { perServer: 1, perAccount: 1 } },
      };
      const { account_id: accountId } = (await itemsOf(id))[0] ?? { account_id: "" };
      const ask = () =>
        requestAction(
          bounded,
          { accountId, client: testClient, intent: intentOf("requestAction") },
          { serverId: id, action: "reboot" },
        );
      assert.equal(await codeOf(ask()), "ok");
      assert.equal(await codeOf(ask()), "limit_reached");
    });

    test("resuming withdraws a power-off that is unclaimed or whose lease has expired", async () => {
      const id = await serverIn("ACTIVE");
      await suspend(id);
      await resume(id);
      assert.deepEqual(await powerOf(id), [["power_off", "FAILED", "WITHDRAWN"]]);
      await suspend(id);
      testCore.clock.advance(1);
      const lapsed = (await itemsOf(id)).at(-1);
      await valueOf(claimWork(core, call, lapsed?.id ?? ""));
      testCore.clock.advance(core.rules.leaseMs);
      await resume(id);
      assert.deepEqual((await powerOf(id)).at(-1), ["power_off", "FAILED", "WITHDRAWN"]);
      assert.equal((await itemsOf(id)).length, 2);
    });

    test("resuming supersedes a claimed power-off, its holder gets 409, and a reboot is queued", async () => {
      const id = await serverIn("ACTIVE");
      await suspend(id);
      const [cut] = await itemsOf(id);
      await valueOf(claimWork(core, call, cut?.id ?? ""));
      await resume(id);
      assert.deepEqual(await powerOf(id), [
        ["power_off", "FAILED", "SUPERSEDED"],
        ["reboot", "OPEN", null],
      ]);
      assert.equal(await codeOf(completeWork(core, call, cut?.id ?? "", {})), "conflict");
    });

    test("suspending and resuming again still reboots a machine that is off", async () => {
      const id = await serverIn("ACTIVE");
      await suspend(id);
      await completeNow(core, (await itemsOf(id)).at(-1)?.id ?? "");
      await resume(id);
      await suspend(id);
      assert.deepEqual((await powerOf(id)).slice(1), [
        ["reboot", "FAILED", "WITHDRAWN"],
        ["power_off", "OPEN", null],
      ]);
      await resume(id);
      assert.deepEqual((await powerOf(id)).slice(2), [
        ["power_off", "FAILED", "WITHDRAWN"],
        ["reboot", "OPEN", null],
      ]);
      await completeNow(core, (await itemsOf(id)).at(-1)?.id ?? "");
      await suspend(id);
      await resume(id);
      assert.deepEqual((await powerOf(id)).slice(4), [["power_off", "FAILED", "WITHDRAWN"]]);
    });

    test("resuming a suspended server without a power-off work item queues a reboot", async () => {
      const id = await serverIn("SUSPENDED");
      await resume(id);
      assert.deepEqual(await powerOf(id), [["reboot", "OPEN", null]]);
    });

    test("the customer's own action stays in the queue", async () => {
      const { subjectId, workId } = await queueAction(core);
      await suspend(subjectId);
      await resume(subjectId);
      const [own] = await itemsOf(subjectId, "is not");
      assert.deepEqual([own?.id, own?.state], [workId, "OPEN"]);
    });

    test("invariants hold after concurrent suspensions, resumptions and completions", async () => {
      const other = await testCore.reopen();
      const id = await serverIn("ACTIVE");
      await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const on = index % 2 === 0 ? core : other;
          if (index % 4 === 0) return suspendServer(on, call, { serverId: id, reason });
          if (index % 4 === 1) return resumeServer(on, call, { serverId: id, reason });
          const open = (await itemsOf(id)).find(({ state }) => state === "OPEN");
          if (open === undefined) return undefined;
          await claimWork(on, call, open.id);
          return completeWork(on, call, open.id, {});
        }),
      );
      await assertInvariantsHold(core.db);
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
