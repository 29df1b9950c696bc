import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { limits } from "@ironlease/contract";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { queueAction, queueWithdrawal } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { seedServer, type SeededServer } from "#test/rental.ts";
import type { Core } from "#kernel/core.ts";
import type { Tx } from "#ports/db.ts";
import { ok } from "#kernel/result.ts";
import { search } from "./search.ts";

forEachEngine((engine) => {
  describe("an operator's search", () => {
    let testCore: TestCore;
    let core: Core;
    let ada: string;
    let server: SeededServer;
    let machineId: string;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      ada = (await register(core, "ada_lovelace")).accountId;
      server = await seedServer(core, ada);
      ({ machine_id: machineId } = await core.db.read
        .selectFrom("servers")
        .select("machine_id")
        .where("id", "=", server.id)
        .executeTakeFirstOrThrow());
      await write(async (tx) => {
        await tx
          .updateTable("servers")
          .set({ hostname: "web1.shop-ada.example", label: "Shop frontend" })
          .where("id", "=", server.id)
          .execute();
        await tx
          .updateTable("machines")
          .set({ asset_tag: "FRA1-R07-U12", serial_number: "CZJ2040QWX" })
          .where("id", "=", machineId)
          .execute();
      });
    });
    after(() => testCore.dispose());

    const write = (work: (tx: Tx) => Promise<unknown>) =>
      core.db.write(async (tx) => {
        await work(tx);
        return ok();
      });
    const found = async (query: string) =>
      (await search(core, query)).map(({ kind, id, matchedBy }) => [kind, id, matchedBy]);

    test("the start of a name finds it in any case, and no character is a wildcard", async () => {
      assert.deepEqual(await found("ADA_l"), [["ACCOUNT", ada, "username"]]);
      assert.deepEqual(await found(" web1.Shop-ada "), [["SERVER", server.id, "hostname"]]);
      assert.deepEqual(await found("shop f"), [["SERVER", server.id, "label"]]);
      assert.deepEqual(await found("fra1-r07"), [["MACHINE", machineId, "assetTag"]]);
      assert.deepEqual(await found("czj2040q"), [["MACHINE", machineId, "serialNumber"]]);
      for (const nothing of [
        "",
        " ",
        "%",
        "_da",
        "ada%",
        "lovelace",
        "' or 1=1 --",
        "\u{10ffff}",
      ]) {
        assert.deepEqual(await found(nothing), [], nothing);
      }
    });

    test("a prefix ends where its last letter does, whatever the language of the database", async () => {
      await register(core, "zoe");
      await register(core, "zoe-2");
      await register(core, "zoea");
      await register(core, "zof");
      const names = (await search(core, "zoe")).map(({ name }) => name);
      assert.deepEqual(names, ["zoe", "zoe-2", "zoea"]);
    });

    test("an address in any notation finds the server that has it", async () => {
      const assigned = await core.db.read
        .selectFrom("assignments")
        .select(["address", "family"])
        .where("server_id", "=", server.id)
        .execute();
      const six = assigned.find(({ family }) => family === 6)?.address ?? "";
      const four = assigned.find(({ family }) => family === 4)?.address ?? "";
      const inPrefix = `${six.toUpperCase()}0:dead:BEEF`;
      for (const query of [four, `::ffff:${four}`, `${four}/32`, six, `${six}/64`, inPrefix]) {
        assert.deepEqual(await found(query), [["SERVER", server.id, "address"]], query);
      }
      assert.deepEqual(await found("203.0.113.254"), []);
    });

    test("an id finds the record, or where it is shown", async () => {
      const action = await queueAction(core);
      const review = await queueWithdrawal(core);
      const work = await core.db.read
        .selectFrom("work")
        .select(["id", "action_id", "withdrawal_id"])
        .where("id", "in", [action.workId, review.workId])
        .orderBy("id")
        .execute();
      const entry = await core.db.read
        .selectFrom("journal")
        .select("id")
        .where("account_id", "=", ada)
        .executeTakeFirstOrThrow();
      const expected: readonly (readonly [string, string, string])[] = [
        [ada, "ACCOUNT", ada],
        [server.orderId, "ACCOUNT", ada],
        [entry.id, "ACCOUNT", ada],
        [server.id.toUpperCase(), "SERVER", server.id],
        [server.assignmentIds[0] ?? "", "SERVER", server.id],
        [machineId, "MACHINE", machineId],
        [action.workId, "WORK", action.workId],
        [work[0]?.action_id ?? "", "WORK", action.workId],
        [work[1]?.withdrawal_id ?? "", "WORK", review.workId],
      ];
      for (const [query, kind, id] of expected) {
        assert.deepEqual(await found(query), [[kind, id, "id"]], query);
      }
      assert.deepEqual(await found("srv_01h455vb4pex5vsknk084sn02q"), []);
      assert.deepEqual(await found("xyz_01h455vb4pex5vsknk084sn02q"), []);
    });

    test("a transaction id finds the payer and the withdrawal that it paid", async () => {
      const { workId } = await queueWithdrawal(core);
      const transactionId = "a".repeat(64);
      await write((tx) =>
        tx
          .updateTable("withdrawals")
          .set({ transaction_id: transactionId })
          .where("id", "=", tx.selectFrom("work").select("withdrawal_id").where("id", "=", workId))
          .execute(),
      );
      assert.deepEqual(await found(transactionId.toUpperCase()), [
        ["WORK", workId, "transactionId"],
      ]);
    });

    test("many matches are cut off, in order", async () => {
      for (let count = 0; count < limits.searchResults + 2; count += 1) {
        await register(core, `many${count}`);
      }
      const results = await search(core, "many");
      assert.deepEqual(
        results.map(({ name }) => name),
        ["many0", "many1", "many2", "many3", "many4"],
      );
    });
  });
});
