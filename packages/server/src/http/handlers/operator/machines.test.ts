import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer } from "#test/https-client.ts";
import type { SignedInOperator } from "#test/operators.ts";
import { endServer, seedServer } from "#test/rental.ts";
import { notOffered, order, scarce, startRental, type Rental } from "#test/rental-service.ts";

const machines = "/operator/v1/machines";
const offer = { configId: "metal-s", regionId: "fra" };

const fieldsOf = (answer: Answer): readonly string[] =>
  (answer.json.error.fields ?? []).map(({ field }: { field: string }) => field);

forEachEngine((engine) => {
  describe("machines over HTTPS", () => {
    let rental: Rental;
    let support: SignedInOperator;
    let admin: SignedInOperator;
    before(async () => {
      rental = await startRental(engine);
      support = await rental.operator("support");
      admin = await rental.operator("admin");
    });
    after(() => rental.close());

    const add = (body: unknown) => support.send("POST", machines, { body });
    const patch = (id: string, body: unknown) =>
      support.send("PATCH", `${machines}/${id}`, { body });
    const count = async () => {
      const rows = await rental.core.db.read.selectFrom("machines").select("id").execute();
      return rows.length;
    };

    test("adding one machine returns it, adding several returns a list, and both are listed", async () => {
      const one = await add({ assetTag: "One", ...offer });
      assert.equal(one.status, 201);
      const { id, ...rest } = one.json;
      assert.deepEqual(rest, {
        ...{ assetTag: "One", ...offer, state: "FREE" },
        ...{ rack: null, unit: null, serialNumber: null, macAddresses: [], switchPort: null },
        ...{ notes: null, keepOutReason: null, controller: null, power: null },
      });
      const many = await add({ machines: [{ assetTag: "Two", ...offer, state: "RETIRED" }] });
      assert.equal(many.status, 201);
      assert.deepEqual(
        many.json.machines.map(({ state }: { state: string }) => state),
        ["RETIRED"],
      );
      const listed = await support.send("GET", `${machines}?query=one&state=FREE&regionId=fra`);
      assert.deepEqual(listed.json, { machines: [{ id, ...rest }] });
    });

    const wrongBodies: [what: string, body: unknown, ...fields: string[]][] = [
      ["nothing", {}, "assetTag", "configId", "regionId"],
      ["an incomplete machine", { assetTag: "X" }, "configId", "regionId"],
      ["a state alone", { state: "FREE" }, "assetTag", "configId", "regionId"],
      ["both forms", { assetTag: "X", ...offer, machines: [] }, "machines"],
      [
        "both forms, each of them valid",
        { assetTag: "X", state: "FREE", machines: [{ assetTag: "Y", ...offer }] },
        ...["assetTag", "state"],
      ],
      ["an empty list", { machines: [] }, "machines"],
      ["an object for the list", { machines: { assetTag: "X", ...offer } }, "machines"],
      ["an unknown field", { assetTag: "X", ...offer, rack: 1 }, "rack"],
      ["a state that only orders set", { assetTag: "X", ...offer, state: "ASSIGNED" }, "state"],
      ["a number for a tag", { assetTag: 1, ...offer }, "assetTag"],
      ["a tag with a space at its end", { assetTag: "X ", ...offer }, "assetTag"],
      ["a tag of 65 characters", { assetTag: "x".repeat(65), ...offer }, "assetTag"],
      ["a tag that is not ASCII", { assetTag: "Zürich", ...offer }, "assetTag"],
      ["an unknown configuration", { assetTag: "X", ...offer, configId: "nope" }, "configId"],
      ["a configuration not offered there", { assetTag: "X", ...notOffered }, "regionId"],
      [
        "one invalid row among valid ones",
        {
          machines: [
            { assetTag: "X", ...offer },
            { assetTag: "Y", ...offer, configId: "x" },
          ],
        },
        "machines.1.configId",
      ],
      [
        "rows of the wrong shape",
        { machines: [{ assetTag: "X", ...offer }, { assetTag: "", regionId: 1, z: 2 }, 7] },
        ...["machines.1.assetTag", "machines.1.configId", "machines.1.regionId", "machines.1.z"],
        "machines.2",
      ],
      [
        "a duplicate tag",
        {
          machines: [
            { assetTag: "X", ...offer },
            { assetTag: "X", ...offer },
          ],
        },
        ...["machines.0.assetTag", "machines.1.assetTag"],
      ],
    ];
    for (const [what, body, ...fields] of wrongBodies) {
      test(`adding ${what} is 400, names the fields, and adds nothing`, async () => {
        const before = await count();
        const answer = await add(body);
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(fieldsOf(answer).toSorted(), fields.toSorted());
        assert.equal(await count(), before);
      });
    }

    test("a taken asset tag is 409, names its row, and adds no machine of the list", async () => {
      const before = await count();
      const row = (assetTag: string) => ({ assetTag, ...offer });
      const answer = await add({ machines: [row("Fresh"), row("metal-s-fra-3")] });
      assert.deepEqual([answer.status, codeOf(answer)], [409, "conflict"]);
      assert.deepEqual(fieldsOf(answer), ["machines.1.assetTag"]);
      assert.equal(await count(), before);
    });

    test("5,000 machines are added in one request, and 5,001 are refused", async () => {
      const rows = (many: number) =>
        Array.from({ length: many }, (_, n) => ({ assetTag: `Bulk ${n}`, ...offer }));
      const tooMany = await add({ machines: rows(5_001) });
      assert.deepEqual([tooMany.status, fieldsOf(tooMany)], [400, ["machines"]]);
      const before = await count();
      const answer = await add({ machines: rows(5_000) });
      assert.equal(answer.status, 201);
      assert.equal(answer.json.machines.length, 5_000);
      assert.equal(await count(), before + 5_000);
    });

    test("a body of more than 4 MiB is 413, and the usual limit of 64 KiB does not apply", async () => {
      const padded = (bytes: number) =>
        support.send("POST", machines, { rawBody: `{"machines":[]${" ".repeat(bytes)}}` });
      assert.equal((await padded(100_000)).status, 400);
      assert.equal((await padded(4 * 1024 ** 2)).status, 413);
    });

    test("a machine's state and tag can be changed; invalid changes are 400, 404 or 409", async () => {
      const { json: machine } = await add({ assetTag: "Change me", ...offer });
      const changed = await patch(machine.id, { state: "RETIRED", assetTag: "Changed" });
      assert.deepEqual(changed.json, { ...machine, state: "RETIRED", assetTag: "Changed" });
      for (const [body, ...fields] of [
        [{}, "assetTag", "state"],
        [{ state: "RESERVED" }, "state"],
        [{ state: null }, "state"],
        [{ assetTag: "" }, "assetTag"],
        [{ configId: "metal-l" }, "configId"],
      ] as const) {
        const answer = await patch(machine.id, body);
        assert.deepEqual([answer.status, fieldsOf(answer).toSorted()], [400, fields]);
      }
      assert.equal((await patch("mch_unknown", { state: "FREE" })).status, 404);
      const taken = await patch(machine.id, { assetTag: "metal-s-fra-3" });
      assert.deepEqual([taken.status, fieldsOf(taken)], [409, ["assetTag"]]);
    });

    test("completing RECLAIM work and freeing its machine at once ends the item once", async () => {
      const { accountId } = await rental.customer(0);
      for (let round = 0; round < 8; round += 1) {
        const server = await seedServer(rental.core, accountId, scarce);
        await endServer(rental.core, accountId, server);
        const { work } = (await support.send("GET", "/operator/v1/work?kind=RECLAIM&state=OPEN"))
          .json;
        const item = work.find((one: { serverId: string }) => one.serverId === server.id);
        assert.equal(
          (await support.send("POST", `/operator/v1/work/${item.id}/claim`)).status,
          200,
        );
        const others = await admin.send("PATCH", `${machines}/${server.machineId}`, {
          body: { state: "FREE" },
        });
        assert.deepEqual([others.status, codeOf(others)], [409, "conflict"]);
        const complete = { body: {} };
        const [completed, patched] = await Promise.all([
          support.send("POST", `/operator/v1/work/${item.id}/complete`, complete),
          patch(server.machineId, { state: "FREE" }),
        ]);
        assert.ok([200, 409].includes(completed.status), completed.text);
        assert.ok([200, 409].includes(patched.status), patched.text);
        assert.ok(completed.status === 200 || patched.status === 200);
        const ended = (await support.send("GET", `/operator/v1/work/${item.id}`)).json;
        assert.deepEqual(
          [ended.state, ended.outcome, ended.claimedBy],
          ["DONE", "WIPED", support.username],
        );
        const found = await support.send("GET", `${machines}?query=${server.machineId}`);
        assert.equal(found.json.machines[0].state, "FREE");
      }
    });

    test("the last machine of an offer is either ordered or retired, never both", async () => {
      const customer = await rental.customer(10_000);
      const only = { ...order, ...scarce };
      const free = async () =>
        (await support.send("GET", `${machines}?state=FREE&configId=${scarce.configId}`)).json
          .machines;
      const [last, ...others] = await free();
      for (const { id } of others) assert.equal((await patch(id, { state: "DIRTY" })).status, 200);
      const [ordered, retired] = await Promise.all([
        customer.send("POST", "/api/v1/orders", {
          body: only,
          headers: { "idempotency-key": "the-last-machine" },
        }),
        patch(last.id, { state: "RETIRED" }),
      ]);
      const outcome = [ordered.status, retired.status];
      assert.deepEqual(outcome, ordered.status === 201 ? [201, 409] : [409, 200]);
      assert.deepEqual(await free(), []);
    });

    test("invalid filters are 400, and wildcards and quotes are literal text", async () => {
      for (const query of [
        "state=BROKEN",
        "rack=1",
        "state=FREE&state=DIRTY",
        `query=${"x".repeat(129)}`,
        "after=%00",
        "after=zzz",
        "after=srv_01m7gb05t7e00bp0738xtsfjxz",
      ]) {
        assert.equal((await support.send("GET", `${machines}?${query}`)).status, 400, query);
      }
      for (const query of ["query=%25", "configId=%27%22", "query=%F0%9F%98%80"]) {
        const answer = await support.send("GET", `${machines}?${query}`);
        assert.deepEqual([answer.status, answer.json], [200, { machines: [] }], query);
      }
    });

    test("every invariant holds after these tests", () => rental.assertInvariants());
  });
});
