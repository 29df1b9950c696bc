import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold, endServer, seedServer } from "#test/rental.ts";
import { stockUp } from "#test/rental-service.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { addSubnet } from "./add-subnet.ts";
import { changeSubnet } from "./change-subnet.ts";
import { listSubnets } from "./list-subnets.ts";

forEachEngine((engine) => {
  describe("subnets", () => {
    let testCore: TestCore;
    let core: Core;
    let call: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      call = await operatorCall(core, "support");
      await stockUp(core);
    });
    after(() => testCore.dispose());

    const add = (cidr: string, regionId = "fra") => addSubnet(core, call, { regionId, cidr });
    const list = async (filter = {}) =>
      (await listSubnets(core, filter)).map((row) => ({ ...row }));

    test("a subnet is added in its shortest notation, with nothing assigned, and audited", async () => {
      const { id, ...record } = await valueOf(add("2001:0DB8:1:0:0::/48"));
      assert.deepEqual(record, {
        regionId: "fra",
        cidr: "2001:db8:1::/48",
        reverseZone: null,
        gateway: null,
        vlan: null,
        assigned: 0,
      });
      const entry = await core.db.read
        .selectFrom("audit")
        .select(["actor", "action", "detail"])
        .where("subject", "=", id)
        .executeTakeFirstOrThrow();
      assert.deepEqual(
        { ...entry },
        {
          actor: call.operator.operatorId,
          action: "subnet.add",
          detail: JSON.stringify({ regionId: "fra", cidr: "2001:db8:1::/48" }),
        },
      );
    });

    test("an unknown region and an invalid network are refused with the field, and an overlap names the other subnet", async () => {
      assert.deepEqual(await fieldsOf(add("198.51.100.0/24", "nowhere")), [
        { field: "regionId", message: "is not in the catalogue" },
      ]);
      assert.equal((await fieldsOf(add("198.51.100.1/24")))?.[0]?.field, "cidr");
      const overlap = await add("2001:db8:1:8000::/49", "ams");
      assert.equal(overlap.ok ? "" : overlap.refusal.code, "conflict");
      const message = overlap.ok ? "" : (overlap.refusal.message ?? "");
      assert.match(message, /overlaps the subnet 2001:db8:1::\/48 of the region fra\./);
      assert.equal((await list()).length, 1);
    });

    test("gateway and VLAN are set and cleared, an IPv4 gateway follows from the network", async () => {
      const six = (await list())[0] ?? assert.fail();
      const change = (fields: object, id = six.id) => changeSubnet(core, call, { id, ...fields });
      const set = await valueOf(change({ gateway: "FE80:0::1", vlan: 120 }));
      assert.deepEqual(set, { ...six, gateway: "fe80::1", vlan: 120 });
      assert.deepEqual(await valueOf(change({})), set);
      assert.deepEqual(await valueOf(change({ vlan: null })), { ...set, vlan: null });
      for (const gateway of ["192.0.2.1", "fe80::1%eth0", "2001:db8:1::1", "gateway"]) {
        assert.equal((await fieldsOf(change({ gateway })))?.[0]?.field, "gateway");
      }
      assert.equal(await codeOf(change({ vlan: 1 }, "sub_unknown")), "not_found");
      const fields = { regionId: "ams", cidr: "10.255.0.0/24", vlan: 7 };
      const four = await valueOf(addSubnet(core, call, fields));
      assert.deepEqual([four.gateway, four.vlan], ["10.255.0.1", 7]);
      assert.equal(
        (await fieldsOf(change({ gateway: "fe80::1" }, four.id)))?.[0]?.field,
        "gateway",
      );
    });

    test("each shows how many of its addresses are assigned", async () => {
      await valueOf(add("198.51.100.0/24"));
      const unused = await valueOf(add("192.0.2.0/24", "ams"));
      const { accountId } = await register(core);
      const servers = await Promise.all(
        Array.from({ length: 3 }, () => seedServer(core, accountId, { regionId: "fra" })),
      );
      const counts = async () =>
        Object.fromEntries((await list()).map(({ cidr, assigned }) => [cidr, assigned]));
      const others = { "10.255.0.0/24": 0, [unused.cidr]: 0 };
      const expected = { "2001:db8:1::/48": 3, "198.51.100.0/24": 3, ...others };
      assert.deepEqual(await counts(), expected);
      await endServer(core, accountId, servers[0]!);
      assert.deepEqual(await counts(), {
        "2001:db8:1::/48": 2,
        "198.51.100.0/24": 2,
        ...others,
      });
      assert.deepEqual((await list({ regionId: "ams" })).at(-1), unused);
      assert.deepEqual(await list({ regionId: "nowhere" }), []);
      await assertInvariantsHold(core.db);
    });

    test("a page has 100 subnets, in the order they were added", async () => {
      for (let n = 0; n < 105; n += 1) assert.equal(await codeOf(add(`10.0.${n}.0/24`)), "ok");
      const first = await list();
      assert.equal(first.length, 100);
      const second = await list({ after: first[99]!.id });
      assert.equal(second.length, 9);
      assert.equal(new Set([...first, ...second].map(({ id }) => id)).size, 109);
      assert.deepEqual(await list({ after: second[8]!.id }), []);
    });
  });
});
