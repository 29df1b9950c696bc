import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { limits } from "@ironlease/contract";
import type { OperatorCall } from "#kernel/call.ts";
import { readChecklists } from "#kernel/checklists.ts";
import type { Core } from "#kernel/core.ts";
import { createTestCore, type TestCore } from "#test/core.ts";
import { auditOf, messageOf, queueAction, queueProvision, queueWithdrawal } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork, readWork, releaseWork, tickWork } from "#test/work.ts";
import { setChecklist } from "./set-checklist.ts";

forEachEngine((engine) => {
  describe("checklists", () => {
    let opened: TestCore;
    let core: Core;
    let admin: OperatorCall;
    let ada: OperatorCall;
    let bob: OperatorCall;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
      admin = await operatorCall(core, "admin");
      ada = await operatorCall(core, "support");
      bob = await operatorCall(core, "support");
    });
    after(() => opened.dispose());

    const set = (kind: string, ...lines: readonly string[]) =>
      setChecklist(core, admin, { kind, lines });
    const tick = (workId: string, line: string, { ticked = true, by = ada } = {}) =>
      tickWork(core, by, { workId, line, ticked });
    const checklistOf = async (workId: string) =>
      (await valueOf(readWork(core, workId))).checklist?.map(({ line, tick: given }) => [
        line,
        given?.username ?? null,
      ]);

    test("every kind has a default, which an admin replaces", async () => {
      const before = await readChecklists(core.db.read);
      assert.ok(before.every(({ lines, changedAt }) => lines.length > 1 && changedAt === null));
      await valueOf(set("reboot", " Press the button ", "See the light"));
      await valueOf(set("DDOS"));
      const after = await readChecklists(core.db.read);
      const reboot = after.find(({ kind }) => kind === "reboot");
      assert.deepEqual(reboot?.lines, ["Press the button", "See the light"]);
      assert.equal(reboot.changedBy, admin.operator.username);
      assert.deepEqual(after.find(({ kind }) => kind === "DDOS")?.lines, []);
      assert.equal(after.length, before.length);
      const [[, action, detail] = []] = await auditOf(core, "reboot");
      assert.equal(action, "checklist.set");
      assert.deepEqual(detail, { lines: "Press the button\nSee the light" });
    });

    test("an unknown kind is not found, and empty, broken or repeated lines name their position", async () => {
      assert.equal(await codeOf(set("SERVER_ACTION", "A")), "not_found");
      const long = "x".repeat(limits.checklistLine.max);
      for (const lines of [
        ["A", " "],
        ["A", "B\nC"],
        ["A", "A"],
        [long, ` ${long}`],
      ]) {
        assert.equal((await fieldsOf(set("kvm", ...lines)))?.[0]?.field, "lines.1");
      }
    });

    test("ticks stay with the item for the next operator, and name who ticked first", async () => {
      await valueOf(set("PROVISION", "Install", "Test"));
      const { workId } = await queueProvision(core);
      await valueOf(claimWork(core, ada, workId));
      await valueOf(tick(workId, "Install"));
      await valueOf(tick(workId, "Test"));
      await valueOf(tick(workId, "Test", { ticked: false }));
      await valueOf(releaseWork(core, ada, workId));
      await valueOf(claimWork(core, bob, workId));
      await valueOf(tick(workId, "Install", { by: bob }));
      const { username } = ada.operator;
      assert.deepEqual(await checklistOf(workId), [
        ["Install", username],
        ["Test", null],
      ]);
      const actions = (await auditOf(core, workId)).map(([, action]) => action);
      assert.deepEqual(
        actions.filter((action) => String(action).endsWith("tick")),
        ["work.tick", "work.tick", "work.untick"],
      );
      await valueOf(completeWork(core, bob, workId, {}));
      assert.deepEqual(await checklistOf(workId), [["Install", username]]);
      assert.equal(await codeOf(tick(workId, "Test", { by: bob })), "conflict");
    });

    test("an action has the checklist of its action, and an edited line is no longer ticked", async () => {
      await valueOf(set("reboot", "One", "Two"));
      const { workId } = await queueAction(core);
      assert.match(await messageOf(tick(workId, "One")), /not claimed/);
      await valueOf(claimWork(core, ada, workId));
      await valueOf(tick(workId, "One"));
      await valueOf(set("reboot", "One, with care", "Two"));
      assert.deepEqual(await checklistOf(workId), [
        ["One, with care", null],
        ["Two", null],
      ]);
      assert.match(await messageOf(tick(workId, "One")), /no such line.*read the item again/);
    });

    test("support cannot tick the lines of a withdrawal", async () => {
      const { workId } = await queueWithdrawal(core);
      assert.equal(await codeOf(tick(workId, "Find the payment on the network")), "role_forbidden");
    });
  });
});
