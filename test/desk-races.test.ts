import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setDdosMode } from "#server/features/servers/set-ddos-mode.ts";
import { readWork } from "#server/features/work/read-work.ts";
import type { Core } from "#server/kernel/core.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import { DatabaseUnavailable } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import type { WorkKind } from "#server/ports/schema.ts";
import { createTestCore, testClient, type TestCore } from "#test/core.ts";
import {
  balanceOf,
  completionOf,
  queueDdos,
  queueWithdrawal,
  queueWorkOf,
  workKinds,
  type Queued,
} from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { intentOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork, failWork } from "#test/work.ts";

const reason = { reason: "It cannot be done." };
const large = 500_000;

/** Retries when no connection was free in time, as on a slow machine. Such an attempt changed nothing. */
async function withRetries<T>(attempt: () => Promise<T>, times = 20): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) || times === 0) throw error;
    return withRetries(attempt, times - 1);
  }
}

forEachEngine((engine) => {
  describe("races at the desk, on two instances", () => {
    let testCore: TestCore;
    let core: Core;
    let instances: readonly Core[];
    let operators: readonly OperatorCall[];
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      instances = [core, await testCore.reopen()];
      operators = [];
      for (let index = 0; index < 4; index += 1) {
        operators = [...operators, await operatorCall(core, "finance")];
      }
    });
    after(() => testCore.dispose());

    const instance = (index: number) => instances[index % 2] ?? assert.fail();
    const operator = (index: number) => operators[index % 4] ?? assert.fail();
    const race = <T>(count: number, attempt: (index: number) => Promise<T>) =>
      Promise.all(Array.from({ length: count }, (_, index) => withRetries(() => attempt(index))));
    const complete = (on: Core, by: OperatorCall, kind: WorkKind, { workId }: Queued) =>
      completeWork(on, by, workId, completionOf[kind]);

    /** The final state of the item, the balance, the server and the machine. */
    const outcomeOf = async (kind: WorkKind, item: Queued) => {
      const { state } = await valueOf(readWork(core, item.workId));
      const { available, held } = await balanceOf(core, item.accountId);
      if (kind === "WITHDRAWAL") return [state, available, held];
      const server = await core.db.read
        .selectFrom("servers")
        .innerJoin("machines", "machines.id", "servers.machine_id")
        .select(["servers.state", "machines.state as machine", "ddos_mode", "ddos_requested_mode"])
        .where("servers.id", "=", item.subjectId)
        .executeTakeFirstOrThrow();
      const mode = kind === "DDOS" ? [server.ddos_mode, server.ddos_requested_mode] : [];
      return [state, available, held, server.state, server.machine, ...mode];
    };

    const outcomes: Readonly<Record<WorkKind, readonly (readonly unknown[])[]>> = {
      PROVISION: [
        ["DONE", 0, 0, "ACTIVE", "ASSIGNED"],
        ["FAILED", 9_900, 0, "TERMINATED", "DIRTY"],
      ],
      SERVER_ACTION: [
        ["DONE", 0, 0, "ACTIVE", "ASSIGNED"],
        ["FAILED", 0, 0, "ACTIVE", "ASSIGNED"],
      ],
      WITHDRAWAL: [
        ["DONE", 0, 0],
        ["FAILED", 12_345, 0],
      ],
      DDOS: [
        ["DONE", 0, 0, "ACTIVE", "ASSIGNED", "ADVANCED", null],
        ["FAILED", 12_050, 0, "ACTIVE", "ASSIGNED", "BASELINE", null],
      ],
      RECLAIM: [
        ["DONE", 0, 0, "TERMINATED", "FREE"],
        ["FAILED", 0, 0, "TERMINATED", "DIRTY"],
      ],
    };

    const endingsOf = async ({ workId }: Queued) => {
      const query = core.db.read.selectFrom("audit").select(["action", "actor"]);
      return query
        .where("subject", "=", workId)
        .where("action", "in", ["work.complete", "work.fail"])
        .execute();
    };

    for (const kind of workKinds) {
      test(`${kind}: 200 racing claims, completions and failures have one winner and one effect`, async () => {
        const item = await queueWorkOf[kind](core);
        const results = await race(200, (index): Promise<Result<{ state: string }>> => {
          const [on, by] = [instance(index), operator(index >> 1)];
          if (index % 5 < 2) return claimWork(on, by, item.workId);
          return index % 5 < 4
            ? complete(on, by, kind, item)
            : failWork(on, by, item.workId, reason);
        });
        // If every completion and failure preceded the first claim, the holder completes it now.
        const holder = operators.find((_, index) =>
          results.some((result, at) => result.ok && (at >> 1) % 4 === index),
        );
        assert.ok(holder);
        const isEnd = (result: Result<{ state: string }>) =>
          result.ok && (result.value.state === "DONE" || result.value.state === "FAILED");
        if (!results.some(isEnd)) await valueOf(complete(core, holder, kind, item));
        assert.ok(results.filter(isEnd).length <= 1);
        assert.ok(results.every((result) => result.ok || result.refusal.code === "conflict"));
        assert.equal((await endingsOf(item)).length, 1);
        const outcome = await outcomeOf(kind, item);
        assert.deepEqual(
          outcome,
          outcomes[kind].find(([state]) => state === outcome[0]),
        );
      });

      test(`${kind}: 200 racing completions and failures by the holder have one effect`, async () => {
        const item = await queueWorkOf[kind](core);
        await valueOf(claimWork(core, operator(0), item.workId));
        const results = await race(200, (index) => {
          const [on, by] = [instance(index >> 1), operator(0)];
          return index % 2 === 0
            ? complete(on, by, kind, item)
            : failWork(on, by, item.workId, reason);
        });
        assert.equal(results.filter((result) => result.ok).length, 1);
        assert.ok(results.every((result) => result.ok || result.refusal.code === "conflict"));
        assert.equal((await endingsOf(item)).length, 1);
        const outcome = await outcomeOf(kind, item);
        assert.deepEqual(
          outcome,
          outcomes[kind].find(([state]) => state === outcome[0]),
        );
      });
    }

    test("200 racing claims by four operators succeed for one operator only", async () => {
      const { workId } = await queueWithdrawal(core);
      const results = await race(200, (index) =>
        claimWork(instance(index), operator(index >> 1), workId),
      );
      const holders = results.flatMap((result) => (result.ok ? [result.value.claimedBy] : []));
      assert.equal(new Set(holders).size, 1);
      assert.equal(holders.length, 50);
    });

    test("two operators who complete an approved withdrawal at once pay it once", async () => {
      for (let round = 0; round < 10; round += 1) {
        const item = await queueWithdrawal(core, large);
        await valueOf(claimWork(core, operator(0), item.workId));
        await valueOf(completeWork(core, operator(0), item.workId, {}));
        const results = await race(2, async (index) => {
          const [on, by] = [instance(index), operator(index + 1)];
          await claimWork(on, by, item.workId);
          return complete(on, by, "WITHDRAWAL", item);
        });
        assert.equal(results.filter((result) => result.ok).length, 1);
        assert.deepEqual(await outcomeOf("WITHDRAWAL", item), ["DONE", 0, 0]);
      }
    });

    test("40 racing approvals and rejections by one operator have one effect", async () => {
      for (let round = 0; round < 10; round += 1) {
        const item = await queueWithdrawal(core, large);
        await valueOf(claimWork(core, operator(0), item.workId));
        const results = await race(40, (index) =>
          (index + round) % 4 === 0
            ? failWork(instance(index), operator(0), item.workId, reason)
            : completeWork(instance(index), operator(0), item.workId, {}),
        );
        assert.equal(results.filter((result) => result.ok).length, 1);
        const { state, approvals } = await valueOf(readWork(core, item.workId));
        const [, available, held] = await outcomeOf("WITHDRAWAL", item);
        const isApproved = state === "OPEN" && approvals.length === 1;
        const isRejected = state === "FAILED" && approvals.length === 0;
        assert.ok(isApproved || isRejected);
        assert.deepEqual([available, held], isApproved ? [0, large] : [large, 0]);
      }
    });

    test("a DDoS change is either completed or withdrawn when both happen at once", async () => {
      for (let round = 0; round < 10; round += 1) {
        const item = await queueDdos(core);
        await valueOf(claimWork(core, operator(0), item.workId));
        const intent = intentOf("setDdosMode");
        const { accountId, subjectId } = item;
        const mode = { mode: "BASELINE" } as const;
        const [done] = await Promise.all([
          complete(instance(round), operator(0), "DDOS", item),
          setDdosMode(
            instance(round + 1),
            { accountId, client: testClient, intent },
            { serverId: subjectId, ...mode },
          ),
        ]);
        const [state, , , , , current, requested] = await outcomeOf("DDOS", item);
        const expected = done.ok ? ["DONE", "ADVANCED", "BASELINE"] : ["FAILED", "BASELINE", null];
        assert.deepEqual([state, current, requested], expected);
      }
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
