import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold } from "#test/rental.ts";
import { notOffered, stockUp } from "#test/rental-service.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import type { NewMachine } from "#kernel/machine-intake.ts";
import { addMachine, addMachines } from "./add-machines.ts";
import { emptyFields } from "./changed-fields.ts";
import { listMachines } from "./list-machines.ts";

const actor = { actor: "opr_x", client: { ipAddress: "192.0.2.9", userAgent: "" } } as const;
const offer = { configId: "metal-s", regionId: "fra" } as const;

const noMore = { keepOutReason: null, controller: null, power: null };

let tags = 0;
const machine = (change: Partial<NewMachine> = {}): NewMachine => ({
  assetTag: `new-${(tags += 1)}`,
  ...offer,
  ...change,
});

forEachEngine((engine) => {
  describe("adding machines", () => {
    let testCore: TestCore;
    let core: Core;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      await stockUp(core);
    });
    after(() => testCore.dispose());

    const freeNow = async () => {
      const stock = core.db.read.selectFrom("stock").select("free");
      const row = await stock
        .where("config_id", "=", offer.configId)
        .where("region_id", "=", offer.regionId)
        .executeTakeFirst();
      return row?.free ?? 0;
    };
    const audited = async (action: string) => {
      const rows = await core.db.read
        .selectFrom("audit")
        .select(["actor", "subject", "detail", "ip_address"])
        .where("action", "=", action)
        .orderBy("id")
        .execute();
      return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as unknown }));
    };

    test("only FREE machines can be sold, and DIRTY and RETIRED ones are stored", async () => {
      const before = await freeNow();
      const machines = [machine(), machine({ state: "DIRTY" }), machine({ state: "RETIRED" })];
      const added = await valueOf(addMachines(core, actor, machines));
      assert.deepEqual(
        added.map(({ state }) => state),
        ["FREE", "DIRTY", "RETIRED"],
      );
      assert.equal(await freeNow(), before + 1);
      for (const record of added) {
        assert.deepEqual({ ...(await listMachines(core, { query: record.id }))[0] }, record);
      }
      const [entry] = await audited("machine.import");
      const detail = { count: 3, firstId: added[0]?.id, lastId: added[2]?.id };
      assert.deepEqual(entry, {
        actor: "opr_x",
        subject: "machines",
        detail,
        ip_address: "192.0.2.9",
      });
    });

    test("a single machine returns its record and has its own audit entry", async () => {
      const one = machine();
      const { id, ...rest } = await valueOf(addMachine(core, actor, one));
      const stored = { ...one, state: "FREE" };
      assert.deepEqual(rest, { ...stored, ...emptyFields, ...noMore });
      const [entry] = await audited("machine.add");
      assert.deepEqual([entry?.subject, entry?.detail], [id, stored]);
    });

    test("an unknown or unoffered configuration or region is named with its row, and nothing is added", async () => {
      const before = await freeNow();
      const wrong = [
        machine(),
        machine({ configId: "metal-x" }),
        machine({ ...notOffered }),
        machine({ configId: "none", regionId: "nowhere" }),
        machine(),
      ];
      assert.deepEqual(await fieldsOf(addMachines(core, actor, wrong)), [
        { field: "machines.1.configId", message: "is not in the catalogue" },
        {
          field: "machines.2.regionId",
          message: "does not offer this configuration; add the offer to the catalogue first",
        },
        { field: "machines.3.configId", message: "is not in the catalogue" },
        { field: "machines.3.regionId", message: "is not in the catalogue" },
      ]);
      assert.equal(await freeNow(), before);
      const alone = await fieldsOf(addMachine(core, actor, machine({ configId: "metal-x" })));
      assert.deepEqual(alone, [{ field: "configId", message: "is not in the catalogue" }]);
    });

    test("an existing asset tag is a conflict that names the field of the request", async () => {
      const one = machine();
      await valueOf(addMachine(core, actor, one));
      const again = addMachine(core, actor, one);
      assert.equal(await codeOf(again), "conflict");
      assert.deepEqual(
        (await fieldsOf(again))?.map(({ field }) => field),
        ["assetTag"],
      );
      const among = await fieldsOf(addMachines(core, actor, [machine(), one]));
      assert.deepEqual(
        among?.map(({ field }) => field),
        ["machines.1.assetTag"],
      );
    });

    test("machines that are added again are named by their asset tags alone, and others by what is taken", async () => {
      const place = { rack: "R9", unit: 1, serialNumber: "S9", macAddresses: ["020000000099"] };
      const one = machine(place);
      await valueOf(addMachine(core, actor, one));
      const tagFault = { field: "assetTag", message: "already belongs to another machine" };
      assert.deepEqual(await fieldsOf(addMachine(core, actor, one)), [tagFault]);
      const other = await valueOf(addMachine(core, actor, machine({ serialNumber: "S10" })));
      const list = [machine({ serialNumber: "S10" }), machine(), one];
      assert.deepEqual(await fieldsOf(addMachines(core, actor, list)), [
        { ...tagFault, field: "machines.2.assetTag" },
        {
          field: "machines.0.serialNumber",
          message: `already belongs to the machine ${other.assetTag}`,
        },
      ]);
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
