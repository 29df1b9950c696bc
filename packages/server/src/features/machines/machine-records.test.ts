import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { queueReclaim } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold, seedMachine, seedServer, reserveOnly } from "#test/rental.ts";
import { stockUp } from "#test/rental-service.ts";
import { codeOf, fieldsOf, freshKey, valueOf } from "#test/use-cases.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { releaseReserved } from "#kernel/inventory.ts";
import type { NewMachine } from "#kernel/machine-intake.ts";
import { addMachine, addMachines } from "./add-machines.ts";
import { changeMachine, type MachineChange } from "./change-machine.ts";
import { listMachines } from "./list-machines.ts";
import { listMachineHistory } from "./list-machine-history.ts";
import { readMachine } from "./read-machine.ts";

const record = {
  rack: "R07",
  unit: 12,
  serialNumber: "CZJ2040QWX",
  macAddresses: ["3c:ec:ef:01:a2:08", "3c:ec:ef:01:a2:07"],
  switchPort: "sw-fra1-07 Ethernet1/12",
  notes: "Two power supplies.\n=1+1",
  keepOutReason: "Fan 3 fails",
} as const;

forEachEngine((engine) => {
  describe("machine records", () => {
    let testCore: TestCore;
    let core: Core;
    let call: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      await stockUp(core);
      call = await operatorCall(core, "support");
    });
    after(() => testCore.dispose());

    const machine = (change: Partial<NewMachine> = {}): NewMachine => ({
      assetTag: freshKey(),
      configId: "metal-s",
      regionId: "fra",
      ...change,
    });
    const add = (change: Partial<NewMachine> = {}) =>
      valueOf(addMachine(core, call, machine(change)));
    const change = (machineId: string, to: MachineChange, on = core) =>
      changeMachine(on, call, { machineId, ...to });
    const freeOf = async (configId: string) => {
      const stock = core.db.read.selectFrom("stock").select("free");
      return (await stock.where("config_id", "=", configId).executeTakeFirst())?.free;
    };
    const reserve = (configId: string) => core.db.write((tx) => reserveOnly(tx, { configId }));

    test("a record is stored, changed field by field and cleared with null", async () => {
      const macs = ["3CEC.EF01.A208", "3C-EC-EF-01-A2-07"];
      const added = await add({ ...record, macAddresses: macs });
      assert.deepEqual({ ...added, ...record }, added);
      assert.deepEqual((await listMachines(core, { query: added.id }))[0], added);
      const changed = await valueOf(change(added.id, { unit: 13, notes: null }));
      assert.deepEqual(changed, { ...added, unit: 13, notes: null });
      const cleared = { rack: null, unit: null, serialNumber: null, switchPort: null };
      const rest = { ...cleared, macAddresses: [], keepOutReason: null };
      assert.deepEqual(await valueOf(change(added.id, rest)), { ...changed, ...rest });
      const { createdAt, server, ...read } = (await readMachine(core, added.id))!;
      assert.deepEqual(read, { ...changed, ...rest });
      assert.deepEqual([createdAt, server], [core.clock.now(), null]);
    });

    test("a search finds the start of a rack or serial number, and a MAC address in any spelling", async () => {
      const { id } = await add({
        rack: "Cage 4",
        serialNumber: "XK_9",
        macAddresses: ["0200000000aa"],
      });
      for (const query of ["cage", "xk_", "02-00-00-00-00-AA", "0200.0000.00aa"]) {
        const found = await listMachines(core, { query });
        assert.deepEqual(
          found.map((each) => each.id),
          [id],
          query,
        );
      }
      assert.deepEqual(await listMachines(core, { query: "xk%" }), []);
    });

    test("every taken value is named in one conflict, with the machine that has the serial number, MAC address or unit", async () => {
      const assetTag = freshKey();
      const mac = "02:00:00:00:00:01";
      const taken = { rack: "R1", unit: 1, serialNumber: "S1" };
      await add({ assetTag, ...taken, macAddresses: [mac] });
      const message = `already belongs to the machine ${assetTag}`;
      const one = { ...taken, macAddresses: ["02:00:00:00:00:02", "02-00-00-00-00-01"] };
      const fields = ["unit", "serialNumber", "macAddresses.1"].map((field) => ({
        field,
        message,
      }));
      const added = addMachine(core, call, machine(one));
      assert.equal(await codeOf(added), "conflict");
      assert.deepEqual(await fieldsOf(added), fields);
      const inList = addMachines(core, call, [machine(), machine({ serialNumber: "S1" })]);
      assert.deepEqual(await fieldsOf(inList), [{ field: "machines.1.serialNumber", message }]);
      const other = await add();
      assert.deepEqual(await fieldsOf(change(other.id, one)), fields);
      const all = change(other.id, { ...one, assetTag });
      assert.deepEqual(await fieldsOf(all), [
        { field: "assetTag", message: "already belongs to another machine" },
        ...fields,
      ]);
      assert.deepEqual(await valueOf(change(other.id, { rack: "R1", unit: 2 })), {
        ...other,
        rack: "R1",
        unit: 2,
      });
    });

    test("the unit of a retired machine is free until the machine returns", async () => {
      const place = { rack: "R2", unit: 7 };
      const retired = await add({ ...place, state: "RETIRED" });
      const { assetTag } = await add(place);
      const back = change(retired.id, { state: "FREE" });
      assert.deepEqual(await fieldsOf(back), [
        { field: "unit", message: `already belongs to the machine ${assetTag}` },
      ]);
      const elsewhere = await valueOf(change(retired.id, { state: "FREE", unit: 8 }));
      assert.deepEqual([elsewhere.state, elsewhere.unit], ["FREE", 8]);
      await add({ ...place, configId: "metal-l", regionId: "ams" });
    });

    test("values that occur twice in a list and a unit without a rack are named with their rows", async () => {
      const twice = { rack: "R3", unit: 1, serialNumber: "S3", macAddresses: ["0200000000bb"] };
      const list = [machine(twice), machine({ unit: 4 }), machine(twice)];
      const faults = (await fieldsOf(addMachines(core, call, list))) ?? [];
      assert.deepEqual(faults.map(({ field, message }) => `${field} ${message}`).toSorted(), [
        "machines.0.macAddresses.0 is duplicated",
        "machines.0.serialNumber is duplicated",
        "machines.0.unit is duplicated",
        "machines.1.unit requires a rack",
        "machines.2.macAddresses.0 is duplicated",
        "machines.2.serialNumber is duplicated",
        "machines.2.unit is duplicated",
      ]);
      const { id } = await add({ rack: "R3", unit: 2 });
      assert.deepEqual(await fieldsOf(change(id, { rack: null })), [
        { field: "unit", message: "requires a rack" },
      ]);
    });

    test("of many concurrent requests for one MAC address exactly one succeeds", async () => {
      const other = await testCore.reopen();
      const macAddresses = ["02:00:00:00:00:cc"];
      const ids = await Promise.all(Array.from({ length: 8 }, () => seedMachine(core)));
      const codes = await Promise.all(
        ids.map((id, index) =>
          codeOf(change(id, { macAddresses }, index % 2 === 0 ? core : other)),
        ),
      );
      assert.deepEqual(codes.toSorted(), [...Array.from({ length: 7 }, () => "conflict"), "ok"]);
    });

    test("a machine that is kept out of sale is not sold until it returns", async () => {
      const configId = freshKey();
      const id = await seedMachine(core, { configId });
      const younger = await seedMachine(core, { configId });
      await valueOf(change(id, { keepOutReason: "Fan 3 fails" }));
      assert.equal(await freeOf(configId), 1);
      assert.deepEqual(await valueOf(reserve(configId)), [younger]);
      assert.equal(await codeOf(reserve(configId)), "capacity_exhausted");
      await valueOf(change(id, { keepOutReason: "Fan 4 fails, too" }));
      await valueOf(change(id, { state: "DIRTY" }));
      await valueOf(change(id, { state: "FREE" }));
      assert.equal(await freeOf(configId), 0);
      await valueOf(change(id, { state: "DIRTY", keepOutReason: null }));
      assert.equal(await freeOf(configId), 0);
      await valueOf(change(id, { state: "FREE", keepOutReason: "Still fails" }));
      assert.equal(await freeOf(configId), 0);
      await valueOf(change(id, { keepOutReason: null }));
      assert.deepEqual(await valueOf(reserve(configId)), [id]);
      for (const reserved of [younger, id]) {
        await valueOf(core.db.write((tx) => releaseReserved(tx, reserved, "RETIRED")));
      }
    });

    test("a machine in use stays with its customer and is not sold again after it is wiped", async () => {
      const { accountId, machineId } = await queueReclaim(core);
      const configId = (await readMachine(core, machineId))!.configId;
      await valueOf(change(machineId, { keepOutReason: "Disk 2 fails" }));
      const before = await freeOf(configId);
      await valueOf(change(machineId, { state: "FREE" }));
      assert.equal(await freeOf(configId), before);
      assert.equal((await readMachine(core, machineId))!.state, "FREE");
      const server = await seedServer(core, accountId);
      const used = await valueOf(change(server.machineId, { keepOutReason: "Old" }));
      assert.deepEqual([used.state, used.keepOutReason], ["ASSIGNED", "Old"]);
    });

    test("a new machine that is kept out of sale is not counted, and every entry has its reason", async () => {
      const before = await freeOf("metal-s");
      const { id } = await add({ keepOutReason: "Burn-in" });
      assert.equal(await freeOf("metal-s"), before);
      await valueOf(change(id, { keepOutReason: null, rack: "R9", notes: "secret" }));
      assert.equal(await freeOf("metal-s"), before! + 1);
      const history = (await listMachineHistory(core, id)) ?? [];
      assert.deepEqual(
        history.map(({ event, detail, by }) => [event, detail, by === null]),
        [
          ["machine.set_record", { rack: "R9", notes: "changed" }, false],
          ["machine.return_to_sale", {}, false],
          [
            "machine.add",
            {
              ...machine(),
              assetTag: history[2]?.detail["assetTag"],
              state: "FREE",
              keepOutReason: "Burn-in",
            },
            false,
          ],
        ],
      );
    });

    test("the history has servers, their work and changes, newest first, in pages", async () => {
      const { accountId, machineId, workId, subjectId } = await queueReclaim(core);
      await valueOf(change(machineId, { notes: "One" }));
      const all = (await listMachineHistory(core, machineId)) ?? [];
      assert.deepEqual(
        all.map(({ kind, event }) => [kind, event]),
        [
          ["CHANGE", "machine.set_record"],
          ["WORK", "RECLAIM"],
          ["WORK", "PROVISION"],
          ["SERVER", "ORDERED"],
        ],
      );
      const [, work, , server] = all;
      assert.deepEqual([work?.workId, work?.serverId], [workId, subjectId]);
      assert.deepEqual([server?.serverId, server?.accountId], [subjectId, accountId]);
      for (const [index, { id }] of all.entries()) {
        assert.deepEqual(await listMachineHistory(core, machineId, id), all.slice(index + 1));
      }
      assert.equal(await listMachineHistory(core, "mch_x"), undefined);
      for (let count = 0; count < 60; count += 1) {
        await valueOf(change(machineId, { notes: `${count}`, assetTag: `h-${count}` }));
      }
      const first = (await listMachineHistory(core, machineId)) ?? [];
      assert.equal(first.length, 100);
      const rest = (await listMachineHistory(core, machineId, first[99]?.id)) ?? [];
      assert.deepEqual([first.length + rest.length, rest.at(-1)?.kind], [124, "SERVER"]);
    });

    test("concurrent sales and changes of keeping out leave the stock exact", async () => {
      const configId = freshKey();
      const ids = await Promise.all(
        Array.from({ length: 6 }, () => seedMachine(core, { configId })),
      );
      const other = await testCore.reopen();
      const moves: MachineChange[] = [
        { keepOutReason: "A" },
        { keepOutReason: null },
        { state: "DIRTY" },
        { state: "FREE" },
      ];
      await Promise.all(
        Array.from({ length: 48 }, (_, index) =>
          change(
            ids[index % 6]!,
            moves[(index * 7 + (index >> 3)) % 4]!,
            index % 2 === 0 ? core : other,
          ),
        ),
      );
      const forSale = await core.db.read
        .selectFrom("machines")
        .select("id")
        .where("config_id", "=", configId)
        .where("state", "=", "FREE")
        .where("keep_out_reason", "is", null)
        .execute();
      assert.equal(await freeOf(configId), forSale.length);
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
