import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import {
  addPools,
  auditOf,
  balanceOf,
  completionOf,
  messageOf,
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
import { assertInvariantsHold, endServer } from "#test/rental.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork } from "#test/work.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { ok } from "#kernel/result.ts";
import type { CompletionInput } from "./completion.ts";
import { readWork } from "./read-work.ts";

forEachEngine((engine) => {
  describe("completing work", () => {
    let testCore: TestCore;
    let core: Core;
    let ada: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      ada = await operatorCall(core, "finance");
    });
    after(() => testCore.dispose());

    const complete = async ({ workId }: Queued, input: CompletionInput = {}) => {
      await valueOf(claimWork(core, ada, workId));
      return completeWork(core, ada, workId, input);
    };
    const serverOf = ({ subjectId }: Queued) =>
      core.db.read
        .selectFrom("servers")
        .innerJoin("machines", "machines.id", "servers.machine_id")
        .selectAll("servers")
        .select("machines.state as machineState")
        .where("servers.id", "=", subjectId)
        .executeTakeFirstOrThrow();
    const ddosOf = async (item: Queued) => {
      const server = await serverOf(item);
      return [
        ...[server.ddos_mode, server.ddos_requested_mode],
        ...[server.ddos_quote_accepted, server.ddos_quote_cents],
      ];
    };

    test("PROVISION: the server is ACTIVE on its machine with addresses, and the outcome is DELIVERED", async () => {
      const item = await queueProvision(core);
      const input = { hostname: "Web-1.example.com", note: "Rack 4." };
      const done = await valueOf(complete(item, input));
      assert.deepEqual(
        [done.state, done.outcome, done.note, done.claimedBy, done.leaseUntil, done.endedAt],
        ["DONE", "DELIVERED", "Rack 4.", ada.operator.username, null, core.clock.now()],
      );
      const server = await serverOf(item);
      assert.deepEqual(
        [server.state, server.machineState, server.hostname],
        ["ACTIVE", "ASSIGNED", "web-1.example.com"],
      );
      assert.equal(server.paid_through, core.clock.now() + 30 * 86_400_000);
      const given = core.db.read.selectFrom("assignments").select("address").orderBy("family");
      const rows = await given.where("server_id", "=", item.subjectId).execute();
      assert.equal(rows.length, 2);
      const addresses = rows.map(({ address }) => address).join(" ");
      const { operatorId } = ada.operator;
      assert.deepEqual(await auditOf(core, item.subjectId), [
        [
          ...[operatorId, "server.deliver"],
          { workId: item.workId, hostname: "web-1.example.com", addresses },
          "192.0.2.9",
        ],
      ]);
      const about = { kind: "PROVISION", about: item.subjectId };
      assert.deepEqual((await auditOf(core, item.workId)).at(-1), [
        ...[operatorId, "work.complete"],
        { ...about, outcome: "DELIVERED", note: "Rack 4." },
        "192.0.2.9",
      ]);
    });

    test("PROVISION without a free address changes nothing, and works once there is one", async () => {
      const item = await queueProvision(core, { regionId: "full" });
      await core.db.write(async (tx) => {
        await tx.deleteFrom("subnets").where("region_id", "=", "full").execute();
        return ok();
      });
      await valueOf(claimWork(core, ada, item.workId));
      const before = [await valueOf(readWork(core, item.workId)), await serverOf(item)];
      assert.equal(await codeOf(completeWork(core, ada, item.workId, {})), "conflict");
      const after = [await valueOf(readWork(core, item.workId)), await serverOf(item)];
      assert.deepEqual(after, before);
      const { state, machineState } = await serverOf(item);
      assert.deepEqual([state, machineState], ["PROVISIONING", "RESERVED"]);
      assert.equal((await auditOf(core, item.workId)).length, 1);
      await addPools(core, "full");
      assert.equal((await valueOf(completeWork(core, ada, item.workId, {}))).state, "DONE");
    });

    test("SERVER_ACTION: the outcome is recorded and nothing else changes", async () => {
      const item = await queueAction(core);
      const before = await serverOf(item);
      const done = await valueOf(complete(item, { note: "Pressed the button." }));
      assert.deepEqual([done.outcome, done.note], ["PERFORMED", "Pressed the button."]);
      assert.deepEqual(await serverOf(item), before);
    });

    test("DDOS: the requested mode is applied, and ADVANCED records the accepted quote", async () => {
      const quoted = await queueDdos(core, "ADVANCED");
      assert.equal((await valueOf(complete(quoted, { quoteUsd: "120.50" }))).outcome, "APPLIED");
      assert.deepEqual(await ddosOf(quoted), ["ADVANCED", null, 1, 12_050]);
      const free = await queueDdos(core, "ADVANCED");
      await valueOf(complete(free, { quoteUsd: 0 }));
      assert.deepEqual(await ddosOf(free), ["ADVANCED", null, 1, 0]);
      const silent = await queueDdos(core, "ADVANCED");
      await valueOf(complete(silent));
      assert.deepEqual(await ddosOf(silent), ["ADVANCED", null, 1, null]);
      const back = await queueDdos(core, "BASELINE");
      await valueOf(complete(back));
      assert.deepEqual(await ddosOf(back), ["BASELINE", null, 1, null]);
    });

    test("RECLAIM: the machine is wiped and can be sold again", async () => {
      const item = await queueReclaim(core);
      assert.equal((await serverOf(item)).machineState, "DIRTY");
      assert.equal((await valueOf(complete(item))).outcome, "WIPED");
      const { state, machineState } = await serverOf(item);
      assert.deepEqual([state, machineState], ["TERMINATED", "FREE"]);
      assert.deepEqual((await auditOf(core, item.machineId)).at(-1)?.slice(0, 2), [
        ada.operator.operatorId,
        "machine.wipe",
      ]);
    });

    test("a field that the kind does not accept is refused by name and changes nothing, with or without a lease", async () => {
      const all = { hostname: "web-1", transactionId: "0xfeed", quoteUsd: 5 };
      const own = { PROVISION: "hostname", WITHDRAWAL: "transactionId", DDOS: "quoteUsd" };
      for (const kind of workKinds) {
        const { workId } = await queueWorkOf[kind](core);
        const expected = Object.keys(all).filter(
          (field) => (own as Partial<Record<string, string>>)[kind] !== field,
        );
        for (const isClaimed of [false, true]) {
          if (isClaimed) await valueOf(claimWork(core, ada, workId));
          const asked = completeWork(core, ada, workId, all);
          assert.equal(await codeOf(asked), "validation_failed", kind);
          assert.deepEqual(
            (await fieldsOf(asked))?.map(({ field }) => field),
            expected,
            kind,
          );
        }
        assert.equal((await valueOf(readWork(core, workId))).state, "CLAIMED");
        await valueOf(completeWork(core, ada, workId, completionOf[kind]));
      }
    });

    test("an invalid hostname or quote is refused by name, and BASELINE accepts no quote", async () => {
      const bad = async (item: Queued, input: CompletionInput, field: string) => {
        const asked = completeWork(core, ada, item.workId, input);
        assert.deepEqual(
          (await fieldsOf(asked))?.map((error) => error.field),
          [field],
        );
      };
      const provision = await queueProvision(core);
      for (const hostname of ["", "-", "a b", "10.0.0.1"]) {
        await bad(provision, { hostname }, "hostname");
      }
      const ddos = await queueDdos(core, "ADVANCED");
      for (const quoteUsd of [-1, "-0.01", 1.005, "1e3", 1e21, "", "5 USD", Number.NaN]) {
        await bad(ddos, { quoteUsd }, "quoteUsd");
      }
      await bad(await queueDdos(core, "BASELINE"), { quoteUsd: 0 }, "quoteUsd");
    });

    test("work on a server that has ended cannot be completed", async () => {
      for (const kind of ["SERVER_ACTION", "DDOS"] as const) {
        const { workId, accountId, subjectId, machineId } = await queueWorkOf[kind](core);
        await valueOf(claimWork(core, ada, workId));
        const server = { id: subjectId, machineId, orderId: "", assignmentIds: [] };
        await endServer(core, accountId, server);
        const asked = completeWork(core, ada, workId, {});
        assert.equal(await codeOf(asked), "conflict");
        assert.match(await messageOf(asked), /has ended \(SERVER_ENDED\)/);
        assert.equal((await valueOf(readWork(core, workId))).claimedBy, null);
      }
    });

    test("work of a frozen account can be completed", async () => {
      const item = await queueProvision(core);
      await core.db.write(async (tx) => {
        const accounts = tx
          .updateTable("accounts")
          .set({ frozen_at: core.clock.now(), frozen_reason: "Test." });
        await accounts.where("id", "=", item.accountId).execute();
        return ok();
      });
      assert.equal((await valueOf(complete(item))).outcome, "DELIVERED");
      assert.deepEqual(await balanceOf(core, item.accountId), { available: 0, held: 0 });
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
