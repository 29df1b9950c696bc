import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { simulatePayment } from "#server/features/deposits/simulate-payment.ts";
import { systemCall } from "#server/kernel/call.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import type { SignedInOperator } from "#test/operators.ts";
import { startRental, type Rental, type RentalCustomer } from "#test/rental-service.ts";
import { password } from "#test/service.ts";

forEachEngine((engine) => {
  let rental: Rental;
  let finance: SignedInOperator;
  before(async () => {
    rental = await startRental(engine);
    finance = await rental.operator("finance");
  });
  after(async () => {
    await rental.assertInvariants();
    await rental.close();
  });

  const close = (customer: RentalCustomer) =>
    customer.send("POST", "/api/v1/account/close", { body: { password } });

  test("of a closure and a concurrent credit by an operator, exactly one succeeds", async () => {
    for (let round = 0; round < 5; round += 1) {
      const customer = await rental.customer(0);
      const path = `/operator/v1/accounts/${customer.accountId}/adjustments`;
      const headers = { "idempotency-key": `closure-race-${round}` };
      const body = { usd: 10, reason: "a test" };
      const [closed, credited] = await Promise.all([
        close(customer),
        finance.send("POST", path, { body, headers }),
      ]);
      const outcome = [codeOf(closed) ?? closed.status, codeOf(credited) ?? credited.status];
      assert.ok(["204,conflict", "account_not_empty,201"].includes(outcome.join()), outcome.join());
    }
  });

  test("a payment during a closure is credited, before it or to the closed account", async () => {
    const { core } = rental;
    for (let round = 0; round < 5; round += 1) {
      const customer = await rental.customer(0);
      const headers = { "idempotency-key": `closure-payment-${round}` };
      const body = { asset: "BTC" };
      const { json } = await customer.send("POST", "/api/v1/deposit-addresses", { body, headers });
      const { address } = json;
      const payment = { address, amount: "0.001", confirmations: 100 };
      const [closed, paid] = await Promise.all([
        close(customer),
        simulatePayment(core, systemCall, payment),
      ]);
      assert.ok(
        [closed.status, codeOf(closed)].some((end) => end === 204 || end === "account_not_empty"),
        closed.text,
      );
      assert.ok(paid.ok);
      const deposits = await core.db.read
        .selectFrom("deposits")
        .select("state")
        .where("account_id", "=", customer.accountId)
        .execute();
      assert.deepEqual(deposits, [{ state: "CREDITED" }]);
    }
  });

  test("a sign-in, a new key and a second closure during a closure leave no access behind", async () => {
    for (let round = 0; round < 3; round += 1) {
      const customer = await rental.customer(0);
      const { username } = customer;
      const body = { username, password };
      const answers = await Promise.all([
        close(customer),
        rental.send("POST", "/api/v1/auth/login", { body }),
        customer.send("POST", "/api/v1/api-keys", { body: { name: "late", scope: "read" } }),
        close(customer),
      ]);
      const [first, , , second] = answers;
      assert.deepEqual(new Set([first.status, second.status]), new Set([204, 401]));
    }
  });
});
