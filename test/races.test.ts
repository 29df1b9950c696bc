import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { order, scarce, startRental, type Rental } from "#test/rental-service.ts";

const orders = "/api/v1/orders";
const withdrawals = "/api/v1/withdrawals";
const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

function countByStatus(answers: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

forEachEngine((engine) => {
  describe("races through HTTP", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    test("500 requests with one idempotency key create one order and one charge and get the same body", async () => {
      const ada = await rental.customer(5_000);
      const headers = { "idempotency-key": "one-key-for-all" };
      const answers = await Promise.all(
        Array.from({ length: 500 }, () => ada.send("POST", orders, { body: order, headers })),
      );
      assert.deepEqual(countByStatus(answers), { 201: 500 });
      assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
      const fresh = answers.filter((answer) => answer.headers["idempotent-replayed"] === undefined);
      assert.equal(fresh.length, 1);
      const { json } = await ada.send("GET", "/api/v1/ledger");
      assert.equal(
        json.entries.filter((entry: { type: string }) => entry.type === "ORDER_CHARGE").length,
        1,
      );
    });

    test("200 orders on a balance for seven: exactly seven succeed", async () => {
      const price = await rental.priceOf(order);
      const ada = await rental.customer(0);
      await rental.credit(ada, price * 7 + price - 1);
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          ada.send("POST", orders, {
            body: order,
            headers: { "idempotency-key": `balance-${index}` },
          }),
        ),
      );
      assert.deepEqual(countByStatus(answers), { 201: 7, 409: 193 });
      assert.ok(
        answers.every(
          (answer) => answer.status === 201 || codeOf(answer) === "insufficient_balance",
        ),
      );
      assert.equal((await ada.send("GET", "/api/v1/me")).json.balanceUsd, (price - 1) / 100);
    });

    test("200 orders of four customers for three free machines: exactly three succeed", async () => {
      const customers = await Promise.all(
        Array.from({ length: 4 }, () => rental.customer(100_000)),
      );
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) => {
          const customer = customers[index % customers.length] ?? assert.fail();
          const headers = { "idempotency-key": `capacity-${index}` };
          return customer.send("POST", orders, { body: { ...order, ...scarce }, headers });
        }),
      );
      assert.deepEqual(countByStatus(answers), { 201: 3, 409: 197 });
      assert.ok(
        answers.every((answer) => answer.status === 201 || codeOf(answer) === "capacity_exhausted"),
      );
    });

    test("200 withdrawals with one idempotency key: one 201, 199 conflicts, one hold", async () => {
      const ada = await rental.customer(1_000);
      const body = { asset: "ETH", destination, usd: 25 };
      const headers = { "idempotency-key": "withdraw-once" };
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => ada.send("POST", withdrawals, { body, headers })),
      );
      assert.deepEqual(countByStatus(answers), { 201: 1, 409: 199 });
      const { json } = await ada.send("GET", "/api/v1/ledger");
      assert.deepEqual([json.balanceUsd, json.heldUsd], [975, 25]);
    });

    test("racing orders and withdrawals never spend more than the balance", async () => {
      const price = await rental.priceOf(order);
      const ada = await rental.customer(0);
      await rental.credit(ada, price * 10);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => {
          const headers = { "idempotency-key": `mixed-race-${index}` };
          return index % 2 === 0
            ? ada.send("POST", orders, { body: order, headers })
            : ada.send("POST", withdrawals, {
                body: { asset: "ETH", destination, usd: price / 100 },
                headers,
              });
        }),
      );
      assert.deepEqual(countByStatus(answers), { 201: 10, 409: 90 });
      const { json } = await ada.send("GET", "/api/v1/ledger");
      assert.equal(json.balanceUsd, 0);
      const held = answers.filter(
        (answer, index) => index % 2 === 1 && answer.status === 201,
      ).length;
      assert.equal(Math.round(json.heldUsd * 100), held * price);
    });

    test("every invariant holds afterwards", () => rental.assertInvariants());
  });
});
