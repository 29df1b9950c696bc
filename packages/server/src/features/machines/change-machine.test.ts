import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold, seedMachine, seedServer } from "#test/rental.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { ok } from "#kernel/result.ts";
import { changeMachine, type MachineChange } from "./change-machine.ts";

forEachEngine((engine) => {
  describe("changing a machine", () => {
    let testCore: TestCore;
    let core: Core;
    let call: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      call = await operatorCall(core, "support");
    });
    after(() => testCore.dispose());

    const change = (id: string, to: MachineChange, by = call, on = core) =>
      changeMachine(on, by, { machineId: id, ...to });
    const messageOf = async (asked: ReturnType<typeof change>) => {
      const result = await asked;
      return result.ok ? "" : (result.refusal.message ?? "");
    };
    const stateOf = async (id: string) => {
      const rows = core.db.read.selectFrom("machines").select("state").where("id", "=", id);
      return (await rows.executeTakeFirstOrThrow()).state;
    };
    /** The audit entries of a subject, oldest first. */
    const entriesOn = async (subject: string) => {
      const rows = core.db.read.selectFrom("audit").select(["actor", "action", "detail"]);
      const found = await rows.where("subject", "=", subject).orderBy("id").execute();
      return found.map(({ actor, action, detail }) => [actor, action, JSON.parse(detail)]);
    };
    /** A machine to be wiped, with its RECLAIM work. */
    const dirty = async () => {
      const { accountId } = await register(core);
      const server = await seedServer(core, accountId, { state: "TERMINATED" });
      const rows = core.db.read.selectFrom("work").select("id").where("kind", "=", "RECLAIM");
      const { id } = await rows.where("server_id", "=", server.id).executeTakeFirstOrThrow();
      return { machineId: server.machineId, serverId: server.id, workId: id };
    };
    const workOf = async (id: string) => {
      const row = await core.db.read
        .selectFrom("work")
        .select(["state", "outcome", "claimed_by", "lease_until", "ended_at"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return { ...row };
    };
    const claim = (workId: string, by: OperatorCall, leaseMs: number) =>
      core.db.write(async (tx) => {
        const lease_until = core.clock.now() + leaseMs;
        const claimed_by = by.operator.operatorId;
        await tx
          .updateTable("work")
          .set({ state: "CLAIMED", claimed_by, lease_until })
          .where("id", "=", workId)
          .execute();
        return ok();
      });

    test("a free machine becomes DIRTY, RETIRED and FREE again, each with an audit entry", async () => {
      const id = await seedMachine(core);
      for (const state of ["DIRTY", "RETIRED", "FREE", "RETIRED", "DIRTY", "FREE"] as const) {
        assert.equal((await valueOf(change(id, { state }))).state, state);
        assert.equal(await stateOf(id), state);
      }
      const entries = await entriesOn(id);
      assert.equal(entries.length, 6);
      const by = call.operator.operatorId;
      assert.deepEqual(entries[0], [by, "machine.set_state", { from: "FREE", to: "DIRTY" }]);
      await assertInvariantsHold(core.db);
    });

    test("setting the current value changes nothing and is not audited", async () => {
      const id = await seedMachine(core);
      const { assetTag } = await valueOf(change(id, { state: "FREE" }));
      await valueOf(change(id, { state: "FREE", assetTag }));
      assert.deepEqual(await entriesOn(id), []);
    });

    test("the asset tag can change in every state, alone or with the state", async () => {
      const id = await seedMachine(core);
      const assetTag = `tag of ${id}`;
      const changed = await valueOf(change(id, { assetTag, state: "RETIRED" }));
      assert.deepEqual([changed.assetTag, changed.state], [assetTag, "RETIRED"]);
      const { accountId } = await register(core);
      const { machineId } = await seedServer(core, accountId);
      const busy = await valueOf(change(machineId, { assetTag: `busy ${id}` }));
      assert.deepEqual([busy.assetTag, busy.state], [`busy ${id}`, "ASSIGNED"]);
      assert.deepEqual((await entriesOn(machineId))[0]?.slice(1), [
        "machine.set_asset_tag",
        { from: machineId, to: `busy ${id}` },
      ]);
    });

    test("another machine's asset tag is a conflict, and the state does not change either", async () => {
      const [id, other] = [await seedMachine(core), await seedMachine(core)];
      const taken = change(id, { assetTag: other, state: "RETIRED" });
      assert.equal(await codeOf(taken), "conflict");
      assert.equal((await fieldsOf(taken))?.[0]?.field, "assetTag");
      assert.equal(await stateOf(id), "FREE");
      assert.deepEqual(await entriesOn(id), []);
    });

    test("an unknown machine is not found, and an empty change is refused with both fields", async () => {
      assert.equal(await codeOf(change("mch_unknown", { state: "FREE" })), "not_found");
      const fields = await fieldsOf(change("mch_unknown", {}));
      assert.deepEqual(
        fields?.map(({ field }) => field),
        ["state", "assetTag"],
      );
    });

    test("a reserved or assigned machine does not change, and the refusal names its server", async () => {
      for (const state of ["PROVISIONING", "ACTIVE", "GRACE", "SUSPENDED"] as const) {
        const { accountId } = await register(core);
        const server = await seedServer(core, accountId, { state });
        const before = await stateOf(server.machineId);
        for (const to of ["FREE", "DIRTY", "RETIRED"] as const) {
          const refused = change(server.machineId, { state: to, assetTag: `x ${server.id}` });
          assert.equal(await codeOf(refused), "conflict", `${state} to ${to}`);
          assert.match(await messageOf(refused), new RegExp(`the server ${server.id} `));
        }
        assert.equal(await stateOf(server.machineId), before);
        assert.deepEqual(await entriesOn(server.machineId), []);
      }
    });

    for (const [to, outcome] of [
      ["FREE", "WIPED"],
      ["RETIRED", "RETIRED"],
    ] as const) {
      test(`setting a DIRTY machine ${to} ends its RECLAIM work as ${outcome}, by this operator`, async () => {
        for (const holder of [
          "no operator",
          "this operator",
          "another operator whose lease has expired",
        ]) {
          const { machineId, serverId, workId } = await dirty();
          if (holder === "this operator") await claim(workId, call, 60_000);
          if (holder.startsWith("another")) {
            await claim(workId, await operatorCall(core, "support"), 0);
          }
          await valueOf(change(machineId, { state: to }));
          assert.equal(await stateOf(machineId), to, holder);
          assert.deepEqual(await workOf(workId), {
            state: "DONE",
            outcome,
            claimed_by: call.operator.operatorId,
            lease_until: null,
            ended_at: core.clock.now(),
          });
          const detail = { kind: "RECLAIM", about: serverId, outcome, machineId };
          const by = call.operator.operatorId;
          assert.deepEqual(await entriesOn(workId), [[by, "work.complete", detail]]);
        }
      });
    }

    test("while another operator holds the RECLAIM work, the change is a conflict that names them", async () => {
      const { machineId, workId } = await dirty();
      const other = await operatorCall(core, "support");
      await claim(workId, other, 60_000);
      const before = await workOf(workId);
      for (const state of ["FREE", "RETIRED"] as const) {
        const refused = change(machineId, { state });
        assert.equal(await codeOf(refused), "conflict");
        assert.match(
          await messageOf(refused),
          new RegExp(`^${other.operator.username} has claimed `),
        );
      }
      assert.equal(await stateOf(machineId), "DIRTY");
      assert.deepEqual(await workOf(workId), before);
      assert.deepEqual(await entriesOn(workId), []);
      testCore.clock.advance(60_000);
      await valueOf(change(machineId, { state: "FREE" }));
      assert.equal((await workOf(workId)).outcome, "WIPED");
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
