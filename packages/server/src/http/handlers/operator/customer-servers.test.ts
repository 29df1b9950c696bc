import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { provisionAll } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer } from "#test/https-client.ts";
import type { SignedInOperator } from "#test/operators.ts";
import { order, startRental, type Rental, type RentalCustomer } from "#test/rental-service.ts";

const accounts = "/operator/v1/accounts";

forEachEngine((engine) => {
  describe("a customer's server and the notes on an account over the operator API", () => {
    let rental: Rental;
    let support: SignedInOperator;
    let admin: SignedInOperator;
    let ada: RentalCustomer;
    let serverId: string;
    before(async () => {
      rental = await startRental(engine);
      support = await rental.operator("support");
      admin = await rental.operator("admin");
      ada = await rental.customer(200);
      const headers = { "idempotency-key": "one-server-only" };
      const placed = await ada.send("POST", "/api/v1/orders", { body: order, headers });
      [serverId] = placed.json.serverIds;
      await provisionAll(rental, support);
    });
    after(() => rental.close());

    const post = (by: SignedInOperator, path: string, body: object, key = "unused-key") =>
      by.send("POST", path, { body, headers: { "idempotency-key": key } });
    const inspect = async () =>
      (await support.send("GET", `/operator/v1/servers/${serverId}`)).json;

    test("one answer has a server's account, machine, addresses, work, charges and thread", async () => {
      const read = await inspect();
      assert.deepEqual([read.server.id, read.server.state], [serverId, "ACTIVE"]);
      assert.deepEqual([read.account.id, read.machine.id], [ada.accountId, read.server.machineId]);
      assert.ok(read.assignments.length > 0);
      const own = (await ada.send("GET", `/api/v1/servers/${serverId}`)).json.assignments;
      assert.deepEqual(read.assignments, own);
      const shownWork = read.work.map(({ kind, state, regionId }: Record<string, string>) => [
        ...[kind, state, regionId],
      ]);
      assert.deepEqual(shownWork, [["PROVISION", "DONE", "fra"]]);
      const charges = read.charges.map(({ type, amountUsd }: Record<string, unknown>) => [
        ...[type, amountUsd],
      ]);
      assert.deepEqual(charges, [["ORDER_CHARGE", -49.99]]);
      assert.match(read.threadId, /^thr_/, "the delivery was told there");
      assert.equal(
        codeOf(await support.send("GET", "/operator/v1/servers/srv_nothing")),
        "not_found",
      );
    });

    test("a suspension shows on the server's page and to the customer, with its reason", async () => {
      const reason = "Sends spam to other networks.";
      const suspended = await post(admin, `/operator/v1/servers/${serverId}/suspend`, { reason });
      assert.equal(suspended.status, 200, suspended.text);
      const { server, work } = await inspect();
      assert.deepEqual([server.state, server.suspension.reason], ["SUSPENDED", reason]);
      assert.deepEqual([work[0].kind, work[0].detail.action], ["SERVER_ACTION", "power_off"]);
      const own = (await ada.send("GET", `/api/v1/servers/${serverId}`)).json;
      assert.equal(own.suspension.reason, reason);
      await post(admin, `/operator/v1/servers/${serverId}/resume`, { reason: "It is fixed." });
    });

    test("a freeze is in the customer's account before any change fails", async () => {
      const path = `${accounts}/${ada.accountId}`;
      const reason = "The password was stolen.";
      await post(admin, `${path}/freeze`, { reason });
      assert.equal((await ada.send("GET", "/api/v1/me")).json.frozen.reason, reason);
      await post(admin, `${path}/unfreeze`, { reason: "Recovered." });
      assert.equal((await ada.send("GET", "/api/v1/me")).json.frozen, undefined);
    });

    test("notes are listed newest first with their author, once per key, and customers never see them", async () => {
      const path = `${accounts}/${ada.accountId}/notes`;
      const text = "Called about the invoice.";
      const added = await post(support, path, { text }, "note-on-ada-1");
      assert.equal(added.status, 201, added.text);
      assert.deepEqual(Object.keys(added.json), ["id"]);
      const again = await post(support, path, { text }, "note-on-ada-1");
      assert.deepEqual([again.json, again.headers["idempotent-replayed"]], [added.json, "true"]);
      const other = { text: "Something else." };
      const conflict = await post(support, path, other, "note-on-ada-1");
      assert.equal(codeOf(conflict), "idempotency_conflict");
      await post(admin, path, { text: " Pays by bank from May. " }, "note-on-ada-2");
      const notes = async (after = "") =>
        (await support.send("GET", `${path}${after}`)).json.notes.map(
          ({ operator, text: noted }: Record<string, string>) => [operator, noted],
        );
      const own = [support.username, text];
      assert.deepEqual(await notes(), [[admin.username, "Pays by bank from May."], own]);
      const [newest] = (await support.send("GET", path)).json.notes;
      assert.deepEqual(await notes(`?after=${newest.id}`), [own]);
      for (const wrong of ["", "   ", "x".repeat(2_001)]) {
        const refused: Answer = await post(support, path, { text: wrong }, "note-on-ada-3");
        assert.equal(codeOf(refused), "validation_failed");
      }
      const missing = await post(support, `${accounts}/acc_none/notes`, { text }, "note-on-none");
      assert.equal(codeOf(missing), "not_found");
      const exported = await ada.send("GET", "/api/v1/account-export");
      assert.equal(exported.text.includes(text), false);
    });

    test("a search finds the server by its host name, over the API", async () => {
      const { hostname } = (await inspect()).server;
      const { results } = (await support.send("GET", `/operator/v1/search?query=${hostname}`)).json;
      assert.deepEqual(results, [
        {
          ...{ kind: "SERVER", id: serverId, name: hostname, state: "ACTIVE" },
          ...{ username: ada.username, matchedBy: "hostname", matched: hostname },
        },
      ]);
      const tooLong = await support.send("GET", `/operator/v1/search?query=${"x".repeat(129)}`);
      assert.equal(codeOf(tooLong), "validation_failed");
    });
  });
});
