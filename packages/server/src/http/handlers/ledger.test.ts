import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { completeNow } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { order, startRental, type Rental, type RentalCustomer } from "#test/rental-service.ts";

interface Entry {
  readonly id: string;
  readonly createdAt: string;
  readonly type: string;
  readonly amountUsd: number;
  readonly description: string;
}

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

  describe("GET /api/v1/ledger/entries", () => {
    let rental: Rental;
    let ada: RentalCustomer;
    let orderId: string;
    let serverIds: readonly string[];
    const list = async (query = "", customer: RentalCustomer = ada): Promise<Entry[]> => {
      const answer = await customer.send("GET", `/api/v1/ledger/entries${query}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json.entries;
    };
    const descriptions = async (query: string) =>
      (await list(query)).map(({ description }) => description);
    before(async () => {
      rental = await startRental(engine);
      ada = await rental.customer(500);
      await rental.credit(await rental.customer(5), 100);
      const placed = await ada.send("POST", "/api/v1/orders", {
        body: { ...order, quantity: 2 },
        headers: { "idempotency-key": "ledger-order" },
      });
      ({ id: orderId, serverIds } = placed.json);
      for (let cents = 1; cents <= 120; cents += 1) {
        rental.clock.advance(1_000);
        await rental.credit(ada, cents);
      }
      const cancelled = await ada.send("POST", `/api/v1/servers/${serverIds[0]}/cancel`, {
        headers: { "idempotency-key": "ledger-cancel" },
      });
      assert.equal(cancelled.status, 200, cancelled.text);
    });
    after(() => rental.close());

    test("pages have every entry once, newest first, with the hashes of the statement", async () => {
      const pages: Entry[][] = [];
      let after = "";
      do {
        const page = await list(`?limit=50&after=${after}`);
        pages.push(page);
        after = page.at(-1)?.id ?? "";
      } while (pages.at(-1)?.length === 50);
      assert.deepEqual(
        pages.map(({ length }) => length),
        [50, 50, 23],
      );
      const { entries } = (await ada.send("GET", "/api/v1/statement")).json;
      assert.deepEqual(pages.flat(), entries.toReversed());
      const ledger = (await ada.send("GET", "/api/v1/ledger")).json;
      assert.deepEqual(await list(), ledger.entries);
    });

    test("type and period filter, alone and together", async () => {
      const types = (await list("?type=ORDER_CHARGE")).map(({ type }) => type);
      assert.deepEqual(types, ["ORDER_CHARGE"]);
      const both = await list("?type=ORDER_CHARGE,REFUND,ORDER_CHARGE");
      assert.deepEqual(
        both.map(({ type }) => type),
        ["REFUND", "ORDER_CHARGE"],
      );
      assert.deepEqual(await list(`?type=ORDER_CHARGE,REFUND&after=${both[0]?.id}`), both.slice(1));
      const [newest, , third] = await list("?type=ADJUSTMENT");
      const period = `from=${third?.createdAt}&to=${newest?.createdAt}`;
      assert.deepEqual(
        (await list(`?type=ADJUSTMENT&${period}`)).map(({ amountUsd }) => amountUsd),
        [1.19, 1.18],
      );
      assert.deepEqual(await list("?from=2100-01-01"), []);
      assert.deepEqual(await list(`?type=REFUND&${period}`), []);
    });

    test("an order finds its charge, and a server also its own entries", async () => {
      const [charge] = await descriptions(`?reference=${orderId}`);
      assert.equal(charge, "2 × Metal S in Frankfurt, monthly");
      const ofFirst = await list(`?reference=${serverIds[0]}`);
      assert.deepEqual(
        ofFirst.map(({ type }) => type),
        ["REFUND", "ORDER_CHARGE"],
      );
      assert.deepEqual(await descriptions(`?reference=${serverIds[1]}`), [charge]);
      const adjustments = `?reference=${serverIds[0]}&type=ADJUSTMENT,ORDER_CHARGE`;
      assert.deepEqual(await list(adjustments), ofFirst.slice(1));
      const refunds = await list(`?reference=${serverIds[0]}&type=REFUND&limit=1`);
      assert.deepEqual(refunds, ofFirst.slice(0, 1));
    });

    test("one entry reads as in the list; another account finds nothing", async () => {
      const [entry] = await list("?limit=1");
      const path = `/api/v1/ledger/entries/${entry?.id}`;
      assert.deepEqual((await ada.send("GET", path)).json, entry);
      const eve = await rental.customer(3);
      assert.equal((await eve.send("GET", path)).status, 404);
      assert.deepEqual(await list(`?after=${entry?.id}`, eve), []);
      assert.deepEqual(await list(`?reference=${serverIds[0]}`, eve), []);
    });

    test("400 names the field of a query that cannot be right", async () => {
      const wrong = {
        limit: "limit=101",
        type: "type=DEPOSIT,WITHDRAWAL_PAYOUT",
        reference: "reference=web1",
        after: "after=srv_1",
        from: "from=2026-02-30",
        to: "from=2026-03-02&to=2026-03-01",
      };
      for (const [field, query] of Object.entries(wrong)) {
        const { status, json } = await ada.send("GET", `/api/v1/ledger/entries?${query}`);
        assert.deepEqual([status, json.error.fields[0].field], [400, field], query);
      }
    });
  });
});
