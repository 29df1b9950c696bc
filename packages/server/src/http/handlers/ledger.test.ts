import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { completeNow } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { startRental, type Rental } from "#test/rental-service.ts";

forEachEngine((engine) => {
  describe("GET /api/v1/ledger", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    test("shows every committed entry, even from another instance, to sessions and API keys", async () => {
      const ada = await rental.customer(100);
      const key = await ada.send("POST", "/api/v1/api-keys", {
        body: { name: "books", scope: "billing" },
      });
      const authorization = `Bearer ${key.json.key}`;
      const read = async () => {
        const bySession = await ada.send("GET", "/api/v1/ledger");
        const byKey = await rental.send("GET", "/api/v1/ledger", { headers: { authorization } });
        assert.equal(byKey.text, bySession.text);
        return bySession.json;
      };

      const before = await read();
      assert.deepEqual(await read(), before);
      // Written directly to the database, as another instance would.
      await rental.credit(ada, 2_500);
      const credited = await read();
      assert.equal(credited.balanceUsd, before.balanceUsd + 25);
      assert.equal(credited.entries.length, before.entries.length + 1);

      const requested = await ada.send("POST", "/api/v1/withdrawals", {
        body: {
          asset: "ETH",
          destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
          usd: 25,
        },
        headers: { "idempotency-key": "money-out-1" },
      });
      const held = await read();
      assert.deepEqual([held.balanceUsd, held.heldUsd], [credited.balanceUsd - 25, 25]);

      const { id } = await rental.core.db.read
        .selectFrom("work")
        .select("id")
        .where("withdrawal_id", "=", requested.json.id)
        .executeTakeFirstOrThrow();
      await completeNow(rental.core, id, { transactionId: "0xfeed" });
      const paid = await read();
      const { type, amountUsd, balanceAfterUsd, description, reference } = paid.entries[0];
      assert.deepEqual(
        [paid.heldUsd, type, amountUsd, balanceAfterUsd, description],
        [0, "WITHDRAWAL_PAID", 0, 100, "Withdrawal in ETH, paid. Transaction 0xfeed"],
      );
      assert.deepEqual(reference, { kind: "withdrawal", id: requested.json.id });
    });

    test("shows each account its own ledger only", async () => {
      const [ada, bob] = [await rental.customer(10), await rental.customer(20)];
      const balances = [];
      for (const customer of [ada, bob, ada, bob]) {
        balances.push((await customer.send("GET", "/api/v1/ledger")).json.balanceUsd);
      }
      assert.deepEqual(balances, [10, 20, 10, 20]);
    });
  });
});
