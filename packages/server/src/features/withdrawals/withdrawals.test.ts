import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { completeNow } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { operatorCall } from "#test/operators.ts";
import { startRental, type Rental } from "#test/rental-service.ts";
import { valueOf } from "#test/use-cases.ts";
import { claimWork, failWork } from "#test/work.ts";

interface Entry {
  readonly reference: { readonly id: string };
  readonly amountUsd: number;
  readonly description: string;
}

const path = "/api/v1/withdrawals";
const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
let keys = 0;

forEachEngine((engine) => {
  describe("withdrawals", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    const withdraw = (
      customer: { send: Rental["send"] },
      body: object,
      key = `withdraw-${(keys += 1)}`,
    ) =>
      customer.send("POST", path, {
        body: { asset: "ETH", destination, usd: 25, ...body },
        headers: { "idempotency-key": key },
      });

    test("201 PENDING_REVIEW moves the amount from spendable to held", async () => {
      const ada = await rental.customer(100);
      const { status, json } = await withdraw(ada, { usd: "25.50" });
      assert.equal(status, 201);
      assert.deepEqual(Object.keys(json), ["id", "status"]);
      assert.match(json.id, /^wdr_/);
      assert.equal(json.status, "PENDING_REVIEW");
      const { json: ledger } = await ada.send("GET", "/api/v1/ledger");
      assert.deepEqual([ledger.balanceUsd, ledger.heldUsd], [74.5, 25.5]);
      assert.equal(ledger.entries[0].type, "WITHDRAWAL_HOLD");
      assert.equal(ledger.entries[0].amountUsd, -25.5);
      assert.equal(ledger.entries[0].balanceAfterUsd, 74.5);
      assert.deepEqual(ledger.entries[0].reference, { kind: "withdrawal", id: json.id });
    });

    test("a used key is 409 idempotency_conflict, with the same request and with another", async () => {
      const ada = await rental.customer(100);
      assert.equal((await withdraw(ada, {}, "used-before")).status, 201);
      for (const body of [{}, { usd: 26 }]) {
        const answer = await withdraw(ada, body, "used-before");
        assert.equal(answer.status, 409);
        assert.equal(codeOf(answer), "idempotency_conflict");
      }
      assert.equal((await ada.send("GET", "/api/v1/ledger")).json.heldUsd, 25);
    });

    test("409 insufficient_balance holds nothing and leaves the key unused", async () => {
      const ada = await rental.customer(10);
      const refused = await withdraw(ada, {}, "too-much-now");
      assert.equal(codeOf(refused), "insufficient_balance");
      assert.equal(
        refused.json.error.message,
        "Insufficient balance. You have $10.00; this needs $25.00.",
      );
      assert.equal((await ada.send("GET", "/api/v1/ledger")).json.heldUsd, 0);
      await rental.credit(ada, 10_000);
      assert.equal((await withdraw(ada, {}, "too-much-now")).status, 201);
    });

    test("405 to a read: the outcome is in the ledger, with the transaction or the reason", async () => {
      const ada = await rental.customer(100);
      const ids: string[] = [];
      for (const usd of [1, 2, 3]) ids.push((await withdraw(ada, { usd })).json.id);
      const [paid = "", rejected = ""] = (
        await rental.core.db.read
          .selectFrom("work")
          .select("id")
          .where("account_id", "=", ada.accountId)
          .orderBy("id")
          .execute()
      ).map(({ id }) => id);
      await completeNow(rental.core, paid, { transactionId: "0xpaid" });
      const finance = await operatorCall(rental.core, "finance");
      await valueOf(claimWork(rental.core, finance, rejected));
      await valueOf(
        failWork(rental.core, finance, rejected, { reason: "The address is on a sanctions list." }),
      );
      const read = await ada.send("GET", path);
      assert.deepEqual([read.status, codeOf(read)], [405, "method_not_allowed"]);
      assert.equal(read.headers["allow"], "POST");
      const types = "WITHDRAWAL_HOLD,WITHDRAWAL_PAID,WITHDRAWAL_RELEASE";
      const { entries } = (await ada.send("GET", `/api/v1/ledger/entries?type=${types}`)).json;
      const [paidId, rejectedId, heldId] = ids;
      const held = "Withdrawal in ETH, under review";
      assert.deepEqual(
        entries.map(({ reference, amountUsd, description }: Entry) => [
          ...[reference.id, amountUsd, description],
        ]),
        [
          [rejectedId, 2, "Withdrawal in ETH, rejected: The address is on a sanctions list."],
          [paidId, 0, "Withdrawal in ETH, paid. Transaction 0xpaid"],
          [heldId, -3, held],
          [rejectedId, -2, held],
          [paidId, -1, held],
        ],
      );
    });

    test("every notation of an exact number of cents is accepted", async () => {
      const ada = await rental.customer(1_000);
      for (const usd of [1, 25, 25.5, 25.05, "25", "25.5", "25.50", 99.99]) {
        assert.equal((await withdraw(ada, { usd })).status, 201, String(usd));
      }
    });

    test("every other amount is 400 with the field", async () => {
      const ada = await rental.customer(1_000);
      const bad = [
        0,
        -1,
        0.99,
        100_000.01,
        25.001,
        "25.001",
        "1e2",
        "0x10",
        "+5",
        " 5",
        "5 ",
        "",
        "05",
        ".5",
        "5.",
        "NaN",
        "Infinity",
        "25,5",
        null,
        true,
        [25],
        "١٢",
      ];
      for (const usd of bad) {
        const answer = await withdraw(ada, { usd });
        assert.equal(codeOf(answer), "validation_failed", JSON.stringify(usd));
        assert.deepEqual(
          answer.json.error.fields.map((entry: { field: string }) => entry.field),
          ["usd"],
        );
      }
      const huge = await ada.send("POST", path, {
        rawBody: `{"asset":"ETH","destination":"${destination}","usd":1e309}`,
        headers: { "idempotency-key": "huge-number" },
      });
      assert.equal(huge.status, 400);
      assert.equal((await ada.send("GET", "/api/v1/ledger")).json.heldUsd, 0);
    });

    test("a destination that is not an address of that asset is 400 with the field", async () => {
      const ada = await rental.customer(1_000);
      const bad: [string, string][] = [
        ["ETH", "0x5Aaeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"],
        ["BTC", destination],
        ["BTC", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"],
        ["XMR", "4"],
        ["USDT", "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"],
      ];
      for (const [asset, address] of bad) {
        const answer = await withdraw(ada, { asset, destination: address });
        assert.equal(codeOf(answer), "validation_failed", `${asset} ${address}`);
        assert.equal(answer.json.error.fields[0].field, "destination");
      }
    });

    test("valid addresses of every asset are accepted, and simulated ones where payments are simulated", async () => {
      const ada = await rental.customer(1_000);
      const good: [string, string][] = [
        ["ETH", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
        ["USDC", destination],
        ["BTC", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
        ["BTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
        ["BTC", "sim-btc-abcdefgh1234"],
      ];
      for (const [asset, address] of good) {
        const answer = await withdraw(ada, { asset, destination: address });
        assert.equal(answer.status, 201, `${asset} ${address}: ${answer.text}`);
      }
    });

    test("every invariant holds afterwards", () => rental.assertInvariants());
  });
});
