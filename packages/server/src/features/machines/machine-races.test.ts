import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { seedMachine, reserveOnly } from "#test/rental.ts";
import { codeOf, freshKey } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { changeMachine, type MachineChange } from "./change-machine.ts";

forEachEngine((engine) => {
  describe("concurrent changes to machines", () => {
    let testCore: TestCore;
    let core: Core;
    let other: Core;
    let call: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      other = await testCore.reopen();
      call = await operatorCall(core, "support");
    });
    after(() => testCore.dispose());

    const change = (id: string, to: MachineChange, on = core) =>
      changeMachine(on, call, { machineId: id, ...to });
    /** The only machine of its offer. */
    const onlyOne = async () => {
      const configId = freshKey();
      return { configId, id: await seedMachine(core, { configId }) };
    };
    /** The stock count, the machine's state and its audit entries. */
    const found = async ({ id, configId }: { id: string; configId: string }) => {
      const stock = core.db.read.selectFrom("stock").select("free");
      const machine = core.db.read.selectFrom("machines").select("state").where("id", "=", id);
      const entries = core.db.read.selectFrom("audit").select("detail").where("subject", "=", id);
      return {
        free: (await stock.where("config_id", "=", configId).executeTakeFirst())?.free,
        state: (await machine.executeTakeFirstOrThrow()).state,
        entries: (await entries.execute()).length,
      };
    };

    test("exactly one of many concurrent retirements of a machine succeeds, and the stock drops by one", async () => {
      const machine = await onlyOne();
      const codes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          codeOf(change(machine.id, { state: "RETIRED" }, index % 2 === 0 ? core : other)),
        ),
      );
      assert.ok(codes.every((code) => code === "ok" || code === "conflict"));
      assert.ok(codes.includes("ok"));
      assert.deepEqual(await found(machine), { free: 0, state: "RETIRED", entries: 1 });
    });

    test("conflicting changes to one machine: both apply in order, or one gets 409", async () => {
      for (let round = 0; round < 10; round += 1) {
        const machine = await onlyOne();
        const codes = await Promise.all([
          codeOf(change(machine.id, { state: "RETIRED" })),
          codeOf(change(machine.id, { state: "DIRTY" }, other)),
        ]);
        assert.ok(codes.includes("ok"));
        const { free, state, entries } = await found(machine);
        assert.equal(free, 0);
        assert.ok(state === "RETIRED" || state === "DIRTY");
        assert.equal(entries, codes.filter((code) => code === "ok").length);
      }
    });

    test("the last machine is either sold or retired, never both", async () => {
      for (let round = 0; round < 10; round += 1) {
        const machine = await onlyOne();
        const order = other.db.write((tx) => reserveOnly(tx, { configId: machine.configId }));
        const [sold, retired] = await Promise.all([
          codeOf(order),
          codeOf(change(machine.id, { state: "RETIRED" })),
        ]);
        const isSold = sold === "ok";
        assert.equal(sold, isSold ? "ok" : "capacity_exhausted");
        assert.equal(retired, isSold ? "conflict" : "ok");
        const state = isSold ? "RESERVED" : "RETIRED";
        assert.deepEqual(await found(machine), { free: 0, state, entries: isSold ? 0 : 1 });
      }
    });

    test("exactly one of many concurrent changes to the same asset tag succeeds", async () => {
      const assetTag = freshKey();
      const ids = await Promise.all(Array.from({ length: 10 }, () => seedMachine(core)));
      const codes = await Promise.all(
        ids.map((id, index) => codeOf(change(id, { assetTag }, index % 2 === 0 ? core : other))),
      );
      assert.equal(codes.filter((code) => code === "ok").length, 1);
      assert.equal(codes.filter((code) => code === "conflict").length, 9);
    });
  });
});
