import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ok } from "#kernel/result.ts";
import { forEachEngine } from "#test/engines.ts";
import { order, startRental, type Rental, type RentalCustomer } from "#test/rental-service.ts";

const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

forEachEngine((engine) => {
  describe("lookup of an Idempotency-Key", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    const find = (customer: RentalCustomer, key: string) =>
      customer.send("GET", `/api/v1/idempotency-keys/${key}`);
    const keyed = (
      customer: RentalCustomer,
      method: string,
      path: string,
      body: object,
      key: string,
    ) => customer.send(method, path, { body, headers: { "idempotency-key": key } });

    test("names what each write with the key created or changed", async () => {
      const ada = await rental.customer(500);
      const key = "one-key-for-all-writes";
      const at = new Date(rental.clock.now()).toISOString();
      const placed = await keyed(ada, "POST", "/api/v1/orders", order, key);
      const [serverId] = placed.json.serverIds;
      const withdrawal = { asset: "ETH", destination, usd: 5 };
      const held = await keyed(ada, "POST", "/api/v1/withdrawals", withdrawal, key);
      const thread = { subject: "Hello", text: "Hello" };
      const opened = await keyed(ada, "POST", "/api/v1/threads", thread, key);
      await keyed(ada, "PUT", `/api/v1/servers/${serverId}/ddos`, { mode: "ADVANCED" }, key);
      await keyed(ada, "POST", "/api/v1/deposit-addresses", { asset: "ETH" }, key);
      const { depositAddresses } = (await ada.send("GET", "/api/v1/deposit-addresses")).json;
      const { status, json } = await find(ada, key);
      assert.equal(status, 200);
      assert.deepEqual(json.records, [
        {
          operation: "createDepositAddress",
          createdAt: at,
          reference: { kind: "depositAddress", id: depositAddresses[0].id },
        },
        {
          operation: "openThread",
          createdAt: at,
          reference: { kind: "thread", id: opened.json.id },
        },
        {
          operation: "placeOrder",
          createdAt: at,
          reference: { kind: "order", id: placed.json.id },
        },
        {
          operation: "requestWithdrawal",
          createdAt: at,
          reference: { kind: "withdrawal", id: held.json.id },
        },
        { operation: "setDdosMode", createdAt: at, reference: { kind: "server", id: serverId } },
      ]);
    });

    test("is 404 for an unused key, a refused write, another account's key and any other text", async () => {
      const [ada, eve] = [await rental.customer(1), await rental.customer(0)];
      const withdrawal = { asset: "ETH", destination, usd: 1 };
      await keyed(ada, "POST", "/api/v1/withdrawals", withdrawal, "key-of-ada");
      const refused = { ...withdrawal, usd: 50 };
      assert.equal(
        (await keyed(ada, "POST", "/api/v1/withdrawals", refused, "refused-key")).status,
        409,
      );
      for (const key of ["never-used", "refused-key", "%00", "x", "a".repeat(300)]) {
        assert.equal((await find(ada, key)).status, 404, key);
      }
      assert.equal((await find(eve, "key-of-ada")).status, 404);
      assert.equal((await find(ada, "key-of-ada")).status, 200);
    });

    test("has no reference for writes from before references were recorded", async () => {
      const ada = await rental.customer(1);
      const withdrawal = { asset: "ETH", destination, usd: 1 };
      await keyed(ada, "POST", "/api/v1/withdrawals", withdrawal, "an-old-key");
      await rental.core.db.write(async (tx) => {
        await tx
          .updateTable("idempotency_keys")
          .set({ reference_id: null })
          .where("owner_id", "=", ada.accountId)
          .execute();
        return ok();
      });
      assert.equal((await find(ada, "an-old-key")).json.records[0].reference, null);
    });
  });
});
