import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold, endServer, releaseAddressesOf, seedServer } from "#test/rental.ts";
import { codeOf, fieldsOf, tracesOf, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { listAssignments } from "./list-assignments.ts";
import { setReverseDns } from "./set-reverse-dns.ts";

forEachEngine((engine) => {
  describe("network", () => {
    let opened: TestCore;
    let core: Core;
    before(async () => {
      opened = await createTestCore(engine);
      core = opened.core;
    });
    after(() => opened.dispose());

    const set = (accountId: string, assignmentId: string, ptr: string | null) =>
      setReverseDns(core, { accountId, client: testClient }, { assignmentId, ptr });
    const seedAddress = async (accountId: string) => {
      const { assignmentIds } = await seedServer(core, accountId);
      return assignmentIds[0]!;
    };
    const storedPtr = async (accountId: string, assignmentId: string) => {
      const listed = await listAssignments(core, accountId);
      return listed.find(({ id }) => id === assignmentId)?.ptr;
    };

    test("the list has the addresses of all current servers, in the order of assignment", async () => {
      const { accountId } = await register(core);
      const expected: unknown[] = [];
      for (const state of ["ACTIVE", "GRACE", "PROVISIONING", "TERMINATED", "SUSPENDED"] as const) {
        const { id, assignmentIds } = await seedServer(core, accountId, { state });
        if (state !== "TERMINATED") expected.push(...assignmentIds.map((net) => [net, id]));
        opened.clock.advance(1);
      }
      const listed = await listAssignments(core, accountId);
      assert.deepEqual(
        listed.map(({ id, serverId }) => [id, serverId]),
        expected,
      );
      assert.deepEqual(await listAssignments(core, accountId), listed);
      assert.deepEqual(
        listed.map(({ family, prefixLength, ptr }) => [family, prefixLength, ptr]).slice(0, 2),
        [
          [4, 32, ""],
          [6, 64, ""],
        ],
      );
    });

    test("released addresses are not listed", async () => {
      const { accountId } = await register(core);
      const [server, other] = [
        await seedServer(core, accountId),
        await seedServer(core, accountId),
      ];
      const listedIds = async () => (await listAssignments(core, accountId)).map(({ id }) => id);
      assert.deepEqual(await listedIds(), [...server.assignmentIds, ...other.assignmentIds]);
      await releaseAddressesOf(core, server);
      assert.deepEqual(await listedIds(), other.assignmentIds);
      await endServer(core, accountId, other);
      assert.deepEqual(await listedIds(), []);
    });

    const stored: [string, string][] = [
      ["web1.example.com", "web1.example.com"],
      ["Web1.EXAMPLE.com.", "web1.example.com"],
      ["bücher.example", "xn--bcher-kva.example"],
    ];
    for (const [given, ptr] of stored) {
      test(`the name ${given} is stored and returned as ${ptr}`, async () => {
        const { accountId } = await register(core);
        const id = await seedAddress(accountId);
        assert.deepEqual(await valueOf(set(accountId, id, given)), { id, ptr });
        assert.equal(await storedPtr(accountId, id), ptr);
        await assertInvariantsHold(core.db);
      });
    }

    for (const empty of ["", null]) {
      test(`${JSON.stringify(empty)} clears the name`, async () => {
        const { accountId } = await register(core);
        const id = await seedAddress(accountId);
        await valueOf(set(accountId, id, "web1.example.com"));
        assert.deepEqual(await valueOf(set(accountId, id, empty)), { id, ptr: "" });
        assert.equal(await storedPtr(accountId, id), "");
      });
    }

    test("an invalid host name is refused with the field, and the old name stays", async () => {
      const { accountId } = await register(core);
      const id = await seedAddress(accountId);
      await valueOf(set(accountId, id, "old.example.com"));
      for (const bad of ["203.0.113.10", "2001:db8::1", "localhost", " ", "a_b.example.com", "."]) {
        const fields = await fieldsOf(set(accountId, id, bad));
        assert.equal(fields?.[0]?.field, "ptr", bad);
      }
      assert.equal(await storedPtr(accountId, id), "old.example.com");
    });

    test("only a change is audited, and only that address changes", async () => {
      const { accountId } = await register(core);
      const [id, other] = [await seedAddress(accountId), await seedAddress(accountId)];
      for (const ptr of ["", "a.example.com", "A.example.com", null, ""]) {
        await valueOf(set(accountId, id, ptr));
      }
      const { audits, keys } = await tracesOf(core, accountId);
      assert.deepEqual(
        audits.map(({ action, subject, detail }) => [action, subject, JSON.parse(detail).ptr]),
        ["a.example.com", ""].map((ptr) => ["assignment.set_ptr", id, ptr]),
      );
      assert.deepEqual(keys, []);
      assert.equal(await storedPtr(accountId, other), "");
    });

    test("another account's, an unknown and a released address all get the same not_found", async () => {
      const [{ accountId }, eve] = [await register(core), await register(core)];
      const foreign = await seedAddress(eve.accountId);
      const [released, ended] = [
        await seedServer(core, accountId),
        await seedServer(core, accountId),
      ];
      await releaseAddressesOf(core, released);
      await endServer(core, accountId, ended);
      const gone = [...released.assignmentIds, ...ended.assignmentIds];
      const ids = [foreign, ...gone, core.ids.next("assignment"), ""];
      for (const id of ids) {
        const refused = { ok: false, refusal: { code: "not_found" } };
        assert.deepEqual(await set(accountId, id, "web1.example.com"), refused);
      }
      assert.equal(await storedPtr(eve.accountId, foreign), "");
      // Fields are checked before ownership.
      assert.equal(await codeOf(set(accountId, foreign, "no name")), "validation_failed");
    });
  });
});
