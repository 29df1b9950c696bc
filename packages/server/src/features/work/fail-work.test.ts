import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import {
  auditOf,
  balanceOf,
  queueAction,
  queueDdos,
  queueProvision,
  queueReclaim,
  queueWorkOf,
  workKinds,
  type Queued,
} from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { valueOf } from "#test/use-cases.ts";
import { claimWork, failWork } from "#test/work.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { FailedMachineState } from "#kernel/inventory.ts";

const reason = "The disk is broken.";

forEachEngine((engine) => {
  describe("failing work", () => {
    let testCore: TestCore;
    let core: Core;
    let ada: OperatorCall;
    let finance: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      ada = await operatorCall(core, "support");
      finance = await operatorCall(core, "finance");
    });
    after(() => testCore.dispose());

    const fail = async ({ workId }: Queued, machineState?: FailedMachineState) => {
      await valueOf(claimWork(core, ada, workId));
      const { state, outcome, note, claimedBy } = await valueOf(
        failWork(core, ada, workId, { reason, machineState }),
      );
      assert.deepEqual([state, note, claimedBy], ["FAILED", reason, ada.operator.username]);
      const [actor, action, detail] = (await auditOf(core, workId)).at(-1) ?? [];
      assert.deepEqual([actor, action], [ada.operator.operatorId, "work.fail"]);
      assert.equal((detail as { reason: string }).reason, reason);
      return outcome;
    };
    const serverOf = ({ subjectId }: Queued) =>
      core.db.read
        .selectFrom("servers")
        .innerJoin("machines", "machines.id", "servers.machine_id")
        .selectAll("servers")
        .select("machines.state as machineState")
        .where("servers.id", "=", subjectId)
        .executeTakeFirstOrThrow();

    test("PROVISION: the share is refunded with the reason, the server ends, and its machine is DIRTY", async () => {
      const item = await queueProvision(core, { priceCents: 4_321 });
      assert.equal(await fail(item), "REFUNDED");
      assert.deepEqual(await balanceOf(core, item.accountId), { available: 4_321, held: 0 });
      const { state, machineState } = await serverOf(item);
      assert.deepEqual([state, machineState], ["TERMINATED", "DIRTY"]);
      const { operatorId } = ada.operator;
      const detail = { workId: item.workId, cents: 4_321, reason, machineState: "DIRTY" };
      assert.deepEqual(await auditOf(core, item.subjectId), [
        [operatorId, "server.refund", detail, "192.0.2.9"],
      ]);
      const entry = await core.db.read
        .selectFrom("journal")
        .select("description")
        .where("cause", "=", `refund/${item.subjectId}`)
        .executeTakeFirstOrThrow();
      assert.equal(entry.description, `Not delivered: ${reason}`);
    });

    test("PROVISION: machineState sets the machine's state and whether it can be sold", async () => {
      for (const [machineState, free] of [
        ["DIRTY", 0],
        ["RETIRED", 0],
        ["FREE", 1],
      ] as const) {
        const configId = `metal-${machineState.toLowerCase()}`;
        const item = await queueProvision(core, { configId });
        assert.equal(await fail(item, machineState), "REFUNDED");
        assert.equal((await serverOf(item)).machineState, machineState);
        const stock = core.db.read.selectFrom("stock").select("free");
        const row = await stock.where("config_id", "=", configId).executeTakeFirst();
        assert.equal(row?.free ?? 0, free, machineState);
      }
    });

    for (const kind of workKinds.filter((each) => each !== "PROVISION")) {
      test(`${kind}: machineState is refused before the lease is checked`, async () => {
        const { workId } = await queueWorkOf[kind](core);
        const refused = await failWork(core, finance, workId, { reason, machineState: "FREE" });
        const message = `must be omitted: it applies to PROVISION, and this item is ${kind}`;
        assert.deepEqual(refused, {
          ok: false,
          refusal: { code: "validation_failed", fields: [{ field: "machineState", message }] },
        });
      });
    }

    test("SERVER_ACTION: the failure is recorded and nothing else changes", async () => {
      const item = await queueAction(core);
      const before = await serverOf(item);
      assert.equal(await fail(item), "NOT_PERFORMED");
      assert.deepEqual(await serverOf(item), before);
    });

    test("DDOS: the current mode stays and the request is cleared", async () => {
      const item = await queueDdos(core);
      assert.equal(await fail(item), "DECLINED");
      const server = await serverOf(item);
      assert.deepEqual(
        [server.ddos_mode, server.ddos_requested_mode, server.ddos_quote_accepted],
        ["BASELINE", null, 0],
      );
    });

    test("RECLAIM: the machine stays DIRTY, so it cannot be sold", async () => {
      const item = await queueReclaim(core);
      assert.equal(await fail(item), "NOT_WIPED");
      assert.equal((await serverOf(item)).machineState, "DIRTY");
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
