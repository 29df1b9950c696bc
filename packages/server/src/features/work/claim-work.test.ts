import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import {
  auditOf,
  completionOf,
  messageOf,
  queueAction,
  queueWithdrawal,
  queueWorkOf,
  workKinds,
} from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { codeOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork, failWork } from "#test/work.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { readWork } from "./read-work.ts";
import { releaseWork } from "./release-work.ts";

const reason = { reason: "It does not work." };
const leaseMs = 30 * 60_000;

forEachEngine((engine) => {
  describe("claiming work", () => {
    let testCore: TestCore;
    let core: Core;
    let ada: OperatorCall;
    let bob: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      ada = await operatorCall(core, "finance");
      bob = await operatorCall(core, "finance");
    });
    after(() => testCore.dispose());

    const holderOf = async (workId: string) => {
      const { state, claimedBy, leaseUntil } = await valueOf(readWork(core, workId));
      return [state, claimedBy, leaseUntil];
    };

    test("an item is held for the length of a lease, and claiming it again renews the lease", async () => {
      const { workId } = await queueAction(core);
      const claimed = await valueOf(claimWork(core, ada, workId));
      assert.deepEqual(claimed, await valueOf(readWork(core, workId)));
      const { username } = ada.operator;
      assert.deepEqual(await holderOf(workId), ["CLAIMED", username, core.clock.now() + leaseMs]);
      testCore.clock.advance(leaseMs - 1);
      await valueOf(claimWork(core, ada, workId));
      assert.deepEqual(await holderOf(workId), ["CLAIMED", username, core.clock.now() + leaseMs]);
    });

    test("an item that another operator holds is a conflict that says who and until when", async () => {
      const { workId } = await queueAction(core);
      await valueOf(claimWork(core, ada, workId));
      const until = isoTime(core.clock.now() + leaseMs);
      const attempts = [
        () => claimWork(core, bob, workId),
        () => releaseWork(core, bob, workId),
        () => completeWork(core, bob, workId, {}),
        () => failWork(core, bob, workId, reason),
      ];
      for (const attempt of attempts) {
        assert.equal(await codeOf(attempt()), "conflict");
        assert.equal(
          await messageOf(attempt()),
          `${ada.operator.username} has claimed this work item until ${until}.`,
        );
      }
      assert.equal((await holderOf(workId))[1], ada.operator.username);
    });

    test("an unclaimed item of any kind can be neither released nor ended", async () => {
      for (const kind of workKinds) {
        const { workId } = await queueWorkOf[kind](core);
        const attempts = [
          releaseWork(core, ada, workId),
          completeWork(core, ada, workId, completionOf[kind]),
          failWork(core, ada, workId, reason),
        ];
        for (const attempt of attempts) {
          assert.equal(await codeOf(attempt), "conflict", kind);
          assert.match(await messageOf(attempt), /Claim it first/);
        }
        assert.deepEqual(await holderOf(workId), ["OPEN", null, null]);
      }
    });

    test("an operator whose lease has expired cannot end the item, even if no one else has claimed it", async () => {
      for (const kind of workKinds) {
        const { workId } = await queueWorkOf[kind](core);
        await valueOf(claimWork(core, ada, workId));
        testCore.clock.advance(leaseMs);
        assert.deepEqual(await holderOf(workId), ["OPEN", null, null]);
        const attempts = [
          releaseWork(core, ada, workId),
          completeWork(core, ada, workId, completionOf[kind]),
          failWork(core, ada, workId, reason),
        ];
        for (const attempt of attempts) {
          assert.equal(await codeOf(attempt), "conflict", kind);
          assert.match(await messageOf(attempt), /has expired/);
        }
        await valueOf(claimWork(core, bob, workId));
        assert.equal(await codeOf(claimWork(core, ada, workId)), "conflict");
        await valueOf(completeWork(core, bob, workId, completionOf[kind]));
      }
    });

    test("a lease is valid through its last millisecond", async () => {
      const { workId } = await queueAction(core);
      await valueOf(claimWork(core, ada, workId));
      testCore.clock.advance(leaseMs - 1);
      assert.equal((await valueOf(completeWork(core, ada, workId, {}))).state, "DONE");
    });

    test("a released item can be claimed by any operator immediately", async () => {
      const { workId } = await queueAction(core);
      await valueOf(claimWork(core, ada, workId));
      const released = await valueOf(releaseWork(core, ada, workId));
      assert.deepEqual(
        [released.state, released.claimedBy, released.endedAt],
        ["OPEN", null, null],
      );
      assert.equal(await codeOf(completeWork(core, ada, workId, {})), "conflict");
      await valueOf(claimWork(core, bob, workId));
    });

    test("an ended item is a conflict that names its outcome", async () => {
      const { workId } = await queueAction(core);
      await valueOf(claimWork(core, ada, workId));
      await valueOf(completeWork(core, ada, workId, {}));
      for (const attempt of [
        claimWork(core, bob, workId),
        claimWork(core, ada, workId),
        releaseWork(core, ada, workId),
        failWork(core, ada, workId, reason),
      ]) {
        assert.equal(await codeOf(attempt), "conflict");
        const message = await messageOf(attempt);
        const said = `${ada.operator.username} has ended this work item (PERFORMED).`;
        assert.ok(message.startsWith(said), message);
      }
    });

    test("withdrawals need finance or admin, and all other work needs support", async () => {
      for (const role of ["support", "finance", "admin"] as const) {
        const call = await operatorCall(core, role);
        for (const kind of workKinds) {
          const { workId } = await queueWorkOf[kind](core);
          const expected = kind === "WITHDRAWAL" && role === "support" ? "role_forbidden" : "ok";
          const seen = [
            await codeOf(claimWork(core, call, workId)),
            await codeOf(releaseWork(core, call, workId)),
            await codeOf(claimWork(core, call, workId)),
            await codeOf(completeWork(core, call, workId, completionOf[kind])),
          ];
          assert.deepEqual(seen, [expected, expected, expected, expected], `${role} ${kind}`);
        }
      }
    });

    test("the role is checked before fields and lease, and not_found before the role", async () => {
      const support = await operatorCall(core, "support");
      const { workId } = await queueWithdrawal(core);
      await valueOf(claimWork(core, ada, workId));
      const wrong = completeWork(core, support, workId, { hostname: "-" });
      assert.equal(await codeOf(wrong), "role_forbidden");
      assert.equal(await codeOf(failWork(core, support, workId, reason)), "role_forbidden");
      for (const attempt of [
        readWork(core, "wrk_nothing"),
        claimWork(core, support, "wrk_nothing"),
        releaseWork(core, support, "wrk_nothing"),
        completeWork(core, support, "wrk_nothing", { hostname: "-" }),
        failWork(core, support, "wrk_nothing", reason),
      ]) {
        assert.equal(await codeOf(attempt), "not_found");
      }
    });

    test("claims and releases are audited, refused attempts are not", async () => {
      const { workId, subjectId } = await queueAction(core);
      await valueOf(claimWork(core, ada, workId));
      await codeOf(claimWork(core, bob, workId));
      await valueOf(releaseWork(core, ada, workId));
      const about = { kind: "SERVER_ACTION", about: subjectId };
      const leaseUntil = isoTime(core.clock.now() + leaseMs);
      const { operatorId } = ada.operator;
      assert.deepEqual(await auditOf(core, workId), [
        [operatorId, "work.claim", { ...about, leaseUntil }, "192.0.2.9"],
        [operatorId, "work.release", about, "192.0.2.9"],
      ]);
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
