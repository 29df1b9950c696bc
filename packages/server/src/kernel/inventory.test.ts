import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import type { MachineState } from "#ports/schema.ts";
import type { Core } from "./core.ts";
import {
  assignMachine,
  dirtyMachine,
  releaseReserved,
  type FailedMachineState,
  reserveMachines,
  retireMachine,
  setMachineState,
  wipeMachine,
} from "./inventory.ts";
import { addMachines, type NewMachine } from "./machine-intake.ts";

const codeOf = (result: Result<unknown>) => (result.ok ? "ok" : result.refusal.code);
const valueOf = <T>(result: Result<T>): T =>
  result.ok ? result.value : assert.fail(result.refusal.code);

let offers = 0;

/** Machines of a configuration that no other test uses. */
function machinesOf(count: number, configId = `config-${(offers += 1)}`): readonly NewMachine[] {
  return Array.from({ length: count }, (_, index) => ({
    assetTag: `${configId}-${index}`,
    configId,
    regionId: "fra",
  }));
}

forEachEngine((engine) => {
  describe("the inventory", () => {
    let testCore: TestCore;
    let core: Core;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
    });
    after(() => testCore.dispose());

    const add = (machines: readonly NewMachine[], from = core) =>
      from.db.write((tx) => addMachines({ tx, core: from }, machines));
    const run = (move: (tx: Tx, id: string) => Promise<Result<void>>, id: string, on = core) =>
      on.db.write((tx) => move(tx, id));
    const stateOf = async (id: string) => {
      const query = core.db.read.selectFrom("machines").select("state").where("id", "=", id);
      return (await query.executeTakeFirst())?.state;
    };

    /** Counts the machines by state, and asserts that the stored stock matches. */
    async function countsOf(configId: string) {
      const machines = await core.db.read
        .selectFrom("machines")
        .select("state")
        .where("config_id", "=", configId)
        .execute();
      const stock = await core.db.read
        .selectFrom("stock")
        .select("free")
        .where("config_id", "=", configId)
        .executeTakeFirst();
      const inState = (state: MachineState) => machines.filter((m) => m.state === state).length;
      assert.equal(stock?.free ?? 0, inState("FREE"), "stock equals the number of FREE machines");
      return { all: machines.length, free: inState("FREE"), reserved: inState("RESERVED") };
    }

    /** A new machine in this state, the only one of its offer. */
    async function machineIn(state: MachineState): Promise<{ id: string; configId: string }> {
      const machines = machinesOf(1);
      const configId = machines[0]!.configId;
      const id = valueOf(await add(machines))[0]!;
      if (state === "FREE") return { id, configId };
      if (state === "RETIRED") valueOf(await run(retireMachine, id));
      else
        valueOf(
          await core.db.write((tx) =>
            reserveMachines(tx, { configId, regionId: "fra", quantity: 1 }),
          ),
        );
      if (state === "ASSIGNED" || state === "DIRTY") valueOf(await run(assignMachine, id));
      if (state === "DIRTY") valueOf(await run(dirtyMachine, id));
      assert.equal(await stateOf(id), state);
      return { id, configId };
    }

    test("added machines are free and counted, and a missing stock row is created", async () => {
      const machines = [...machinesOf(3), ...machinesOf(250), ...machinesOf(1)];
      const ids = valueOf(await add(machines));
      assert.equal(new Set(ids).size, 254);
      for (const [row, count] of [
        [0, 3],
        [3, 250],
        [253, 1],
      ] as const) {
        const { configId } = machines[row]!;
        assert.deepEqual(await countsOf(configId), { all: count, free: count, reserved: 0 });
      }
      const last = await core.db.read
        .selectFrom("machines")
        .select(["asset_tag as assetTag", "config_id as configId", "region_id as regionId"])
        .where("id", "=", ids[253]!)
        .executeTakeFirst();
      assert.deepEqual({ ...last }, machines[253], "ids come in the order of the machines");
    });

    test("an asset tag that is taken or repeated is refused with its row, and nothing is added", async () => {
      const machines = machinesOf(2);
      const { configId } = machines[0]!;
      valueOf(await add(machines));
      const fresh = { ...machines[0]!, assetTag: `${configId}-fresh` };
      const taken = await add([fresh, machines[1]!]);
      assert.equal(codeOf(taken), "conflict");
      const fieldsOf = (result: Result<unknown>) =>
        result.ok ? [] : result.refusal.fields?.map(({ field }) => field);
      assert.deepEqual(fieldsOf(taken), ["machines.1.assetTag"]);
      const twice = await add([fresh, { ...fresh, regionId: "ams" }]);
      assert.equal(codeOf(twice), "validation_failed");
      assert.deepEqual(fieldsOf(twice), ["machines.0.assetTag", "machines.1.assetTag"]);
      assert.deepEqual(await countsOf(configId), { all: 2, free: 2, reserved: 0 });
    });

    test("exactly one of two concurrent imports of the same asset tags succeeds", async () => {
      const other = await testCore.reopen();
      const machines = machinesOf(20);
      const reversed = machines.toReversed();
      const results = await Promise.all([add(machines), add(reversed, other)]);
      assert.deepEqual(results.map(codeOf).toSorted(), ["conflict", "ok"]);
      assert.deepEqual(await countsOf(machines[0]!.configId), { all: 20, free: 20, reserved: 0 });
    });

    test("more machines than one request may add are refused", async () => {
      assert.equal(codeOf(await add(machinesOf(5_001))), "validation_failed");
    });

    test("200 concurrent reservations of 50 machines: exactly 50 succeed, each with its own machine", async () => {
      const other = await testCore.reopen();
      const machines = machinesOf(50);
      const { configId } = machines[0]!;
      valueOf(await add(machines));
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          (index % 2 === 0 ? core : other).db.write((tx) =>
            reserveMachines(tx, { configId, regionId: "fra", quantity: 1 }),
          ),
        ),
      );
      const reserved = results.flatMap((result) => (result.ok ? result.value : []));
      assert.equal(new Set(reserved).size, 50);
      assert.equal(results.filter((r) => codeOf(r) === "capacity_exhausted").length, 150);
      assert.deepEqual(await countsOf(configId), { all: 50, free: 0, reserved: 50 });
    });

    test("a reservation gets all the machines it asks for or none", async () => {
      const machines = machinesOf(3);
      const { configId } = machines[0]!;
      valueOf(await add(machines));
      const reserve = (count: number, regionId = "fra") =>
        core.db.write((tx) => reserveMachines(tx, { configId, regionId, quantity: count }));
      assert.equal(codeOf(await reserve(4)), "capacity_exhausted");
      assert.equal(codeOf(await reserve(1, "ams")), "capacity_exhausted");
      assert.equal(valueOf(await reserve(3)).length, 3);
      assert.deepEqual(await countsOf(configId), { all: 3, free: 0, reserved: 3 });
    });

    const releaseTo = (to: FailedMachineState) => (tx: Tx, machineId: string) =>
      releaseReserved(tx, machineId, to);
    const moves = {
      releaseReserved: { move: releaseTo("FREE"), from: ["RESERVED"], to: "FREE" },
      "releaseReserved as DIRTY": { move: releaseTo("DIRTY"), from: ["RESERVED"], to: "DIRTY" },
      "releaseReserved as RETIRED": {
        move: releaseTo("RETIRED"),
        from: ["RESERVED"],
        to: "RETIRED",
      },
      assignMachine: { move: assignMachine, from: ["RESERVED"], to: "ASSIGNED" },
      dirtyMachine: { move: dirtyMachine, from: ["ASSIGNED"], to: "DIRTY" },
      wipeMachine: { move: wipeMachine, from: ["DIRTY"], to: "FREE" },
      retireMachine: { move: retireMachine, from: ["FREE", "DIRTY", "RETIRED"], to: "RETIRED" },
    } as const;
    const states = ["FREE", "RESERVED", "ASSIGNED", "DIRTY", "RETIRED"] as const;

    for (const [name, { move, from, to }] of Object.entries(moves)) {
      test(`${name} moves from ${from.join(" or ")} to ${to}, and from any other state is a conflict`, async () => {
        for (const state of states) {
          const { id, configId } = await machineIn(state);
          const isAllowed = from.some((allowed) => allowed === state);
          assert.equal(codeOf(await run(move, id)), isAllowed ? "ok" : "conflict", state);
          assert.equal(await stateOf(id), isAllowed ? to : state);
          assert.equal((await countsOf(configId)).all, 1);
        }
        assert.equal(codeOf(await run(move, "mch_unknown")), "not_found");
      });
    }

    test("an operator moves only machines without a server, and not to RESERVED or ASSIGNED", async () => {
      const allowed = new Set(
        ["FREE DIRTY", "FREE RETIRED", "DIRTY FREE", "DIRTY RETIRED", "RETIRED FREE"].concat(
          "RETIRED DIRTY",
          ...states.map((state) => `${state} ${state}`),
        ),
      );
      for (const from of states) {
        for (const to of states) {
          const { id, configId } = await machineIn(from);
          const result = await core.db.write((tx) => setMachineState(tx, id, to));
          const isAllowed = allowed.has(`${from} ${to}`);
          assert.equal(codeOf(result), isAllowed ? "ok" : "conflict", `${from} to ${to}`);
          assert.equal(await stateOf(id), isAllowed ? to : from);
          assert.equal((await countsOf(configId)).all, 1);
        }
      }
    });

    test("exactly one of many concurrent moves of a machine succeeds", async () => {
      const other = await testCore.reopen();
      for (const [state, move] of [
        ["RESERVED", releaseTo("FREE")],
        ["DIRTY", wipeMachine],
      ] as const) {
        const { id, configId } = await machineIn(state);
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, index) => run(move, id, index % 2 === 0 ? core : other)),
        );
        assert.equal(results.filter((result) => result.ok).length, 1);
        assert.deepEqual(await countsOf(configId), { all: 1, free: 1, reserved: 0 });
      }
    });

    test("concurrent reservations, releases and retirements keep the stock count right", async () => {
      const other = await testCore.reopen();
      const machines = machinesOf(30);
      const { configId } = machines[0]!;
      const ids = valueOf(await add(machines));
      const churn = async (on: Core, index: number): Promise<void> => {
        const reserved = await on.db.write((tx) =>
          reserveMachines(tx, { configId, regionId: "fra", quantity: 1 }),
        );
        if (reserved.ok) valueOf(await run(releaseTo("FREE"), reserved.value[0]!, on));
        await run(retireMachine, ids[index % 30]!, on);
      };
      await Promise.all(
        Array.from({ length: 60 }, (_, index) => churn(index % 2 === 0 ? core : other, index)),
      );
      const { all, reserved } = await countsOf(configId);
      assert.deepEqual({ all, reserved }, { all: 30, reserved: 0 });
    });
  });
});
