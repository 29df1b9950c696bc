import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { stockUp } from "#test/rental-service.ts";
import { valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { addMachines } from "./add-machines.ts";
import { listMachines, type MachineFilter } from "./list-machines.ts";

const actor = { actor: "opr_x", client: { ipAddress: "", userAgent: "" } } as const;

forEachEngine((engine) => {
  describe("listing machines", () => {
    let testCore: TestCore;
    let core: Core;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      await stockUp(core);
      const offer = { configId: "metal-l", regionId: "ams" };
      const machines = ["R1_U07", "r1xU07", "R1%U07", "R1\\U07", "r1_u08"].map((assetTag) => ({
        assetTag,
        ...offer,
        state: "RETIRED" as const,
      }));
      await valueOf(addMachines(core, actor, machines));
    });
    after(() => testCore.dispose());

    const tagsOf = async (filter: MachineFilter) =>
      (await listMachines(core, filter)).map(({ assetTag }) => assetTag);

    test("a page has 100 machines, and the next page starts after the last of them", async () => {
      const first = await listMachines(core, {});
      assert.equal(first.length, 100);
      const second = await listMachines(core, { after: first[99]!.id });
      assert.equal(second.length, 120 + 3 + 5 - 100);
      const ids = [...first, ...second].map(({ id }) => id);
      assert.deepEqual(ids, ids.toSorted());
      assert.equal(new Set(ids).size, ids.length);
      assert.deepEqual(await listMachines(core, { after: ids.at(-1)! }), []);
      assert.deepEqual(await listMachines(core, { after: "" }), first);
    });

    test("filters combine", async () => {
      const ams = { configId: "metal-l", regionId: "ams" };
      assert.equal((await tagsOf(ams)).length, 8);
      assert.equal((await tagsOf({ ...ams, state: "FREE" })).length, 3);
      assert.equal((await tagsOf({ state: "RETIRED" })).length, 5);
      assert.deepEqual(await tagsOf({ ...ams, configId: "metal-s" }), []);
      assert.deepEqual(await tagsOf({ ...ams, state: "FREE", query: "metal-l-ams-2" }), [
        "metal-l-ams-2",
      ]);
      assert.deepEqual(await tagsOf({ state: "ASSIGNED" }), []);
    });

    test("a query matches the start of an asset tag regardless of case, and no character is a wildcard", async () => {
      const searches: [string, readonly string[]][] = [
        ["r1_", ["R1_U07", "r1_u08"]],
        ["R1_U07", ["R1_U07"]],
        ["r1%", ["R1%U07"]],
        ["r1\\", ["R1\\U07"]],
        [" R1X ", ["r1xU07"]],
        ["U07", []],
        ["%", []],
        ["_", []],
        ["'; drop table machines; --", []],
      ];
      for (const [query, expected] of searches) {
        assert.deepEqual(await tagsOf({ query }), expected, query);
      }
      assert.equal((await tagsOf({ query: "  " })).length, 100);
    });

    test("a query may be an id", async () => {
      const [machine] = await listMachines(core, { query: "r1xu07" });
      assert.deepEqual(await tagsOf({ query: machine!.id }), ["r1xU07"]);
      assert.deepEqual(await tagsOf({ query: machine!.id.slice(0, -1) }), []);
    });
  });
});
