import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer, type Send } from "#test/https-client.ts";
import { startRental, type Rental } from "#test/rental-service.ts";
import { startTestService } from "#test/service.ts";

forEachEngine((engine) => {
  describe("deposits of all accounts over HTTPS", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    const addressOf = async (send: Send, asset: string, key: string): Promise<string> => {
      const headers = { "idempotency-key": key };
      const created = await send("POST", "/api/v1/deposit-addresses", { body: { asset }, headers });
      assert.equal(created.status, 201, created.text);
      return created.json.address;
    };
    const fieldsOf = ({ json }: Answer): string[] =>
      json.error.fields.map(({ field }: { field: string }) => field);

    test("a simulated payment is credited before its answer, and the audit log names the operator", async () => {
      const finance = await rental.operator("finance");
      const ada = await rental.customer(0);
      const address = await addressOf(ada.send, "BTC", "payment-address");
      const pay = (body: object) =>
        finance.send("POST", "/operator/v1/simulated-payments", { body });
      const fresh = { address, amount: "0.01", transactionId: "tx-of-ada" };
      assert.equal((await pay({ ...fresh, confirmations: 1 })).status, 201);
      const deposits = async (query: string) =>
        (await finance.send("GET", `/operator/v1/deposits?${query}`)).json.deposits;
      const [seen] = await deposits(`query=${address}`);
      assert.deepEqual([seen.state, seen.confirmations, seen.usd], ["CONFIRMING", 1, null]);
      assert.deepEqual([seen.accountId, seen.username], [ada.accountId, ada.username]);
      assert.equal((await ada.send("GET", "/api/v1/me")).json.balanceUsd, 0);

      const paid = await pay(fresh);
      assert.deepEqual([paid.status, paid.json], [201, { transactionId: "tx-of-ada" }]);
      assert.equal((await ada.send("GET", "/api/v1/me")).json.balanceUsd, 942.5);
      for (const query of ["tx-of-ada", address, ada.accountId]) {
        const found = await deposits(`state=CREDITED&query=${query}`);
        assert.deepEqual(
          found.map(({ id }: { id: string }) => id),
          [seen.id],
        );
        assert.deepEqual(await deposits(`state=CONFIRMING&query=${query}`), []);
      }
      assert.deepEqual(await deposits("query=tx-of-%25"), []);
      // The network drops the payment. The operators' list shows its current confirmations.
      await pay({ ...fresh, confirmations: 0 });
      assert.equal((await deposits("query=tx-of-ada"))[0].confirmations, 0);

      const audit = await finance.send(
        "GET",
        `/operator/v1/audit?actor=${finance.username}&action=payment.simulate`,
      );
      const [, last] = audit.json.entries.toReversed();
      assert.deepEqual(
        [last.actor, last.actorName, last.subject],
        [finance.operatorId, finance.username, "tx-of-ada"],
      );
      assert.equal(last.detail.amount, "0.01");
      await rental.assertInvariants();
    });

    test("pages list every deposit once, newest first", async () => {
      const finance = await rental.operator("finance");
      const ada = await rental.customer(0);
      const address = await addressOf(ada.send, "USDT", "many-payments");
      const payments = rental.core.settlement?.payments;
      for (let count = 0; count < 105; count += 1) {
        rental.clock.advance(1);
        await payments?.simulatePayment({ address, amount: "1" });
      }
      await finance.send("POST", "/operator/v1/simulated-payments", {
        body: { address, amount: "2" },
      });
      const page = async (after: string): Promise<string[]> => {
        const path = `/operator/v1/deposits?query=${ada.accountId}&after=${after}`;
        const { json } = await finance.send("GET", path);
        return json.deposits.map(({ id }: { id: string }) => id);
      };
      const first = await page("");
      const second = await page(first.at(-1) ?? "");
      assert.deepEqual([first.length, second.length], [100, 6]);
      const all = [...first, ...second];
      assert.deepEqual(all, all.toSorted().toReversed());
      assert.equal(new Set(all).size, 106);
    });

    const refused: [string, object, string[]][] = [
      ["an empty body", {}, ["address", "amount"]],
      ["an unknown address", { address: "sim-btc-none" }, ["address"]],
      ["an amount in words", { amount: "one" }, ["amount"]],
      ["an amount of zero", { amount: "0" }, ["amount"]],
      ["more decimals than the coin has", { amount: "0.0000001" }, ["amount"]],
      ["confirmations below zero", { confirmations: -1 }, ["confirmations"]],
      ["a transaction with a space", { transactionId: "a b" }, ["transactionId"]],
      ["an unknown field", { isGone: true }, ["isGone"]],
    ];
    test("an invalid payment is 400, names the fields, and credits nothing", async () => {
      const finance = await rental.operator("finance");
      const ada = await rental.customer(0);
      const address = await addressOf(ada.send, "USDT", "bad-payments");
      for (const [what, change, fields] of refused) {
        const body = fields.length === 2 ? {} : { address, amount: "1", ...change };
        const answer = await finance.send("POST", "/operator/v1/simulated-payments", { body });
        assert.deepEqual([answer.status, codeOf(answer)], [400, "validation_failed"], what);
        assert.deepEqual(fieldsOf(answer), fields, what);
      }
      assert.equal((await ada.send("GET", "/api/v1/me")).json.balanceUsd, 0);
    });

    test("invalid filters, including a NUL, are 400 and named", async () => {
      const support = await rental.operator("support");
      const cases: [string, string[]][] = [
        ["deposits?state=LOST", ["state"]],
        ["deposits?query=a%00b&after=%00", ["query", "after"]],
      ];
      for (const [path, fields] of cases) {
        const answer = await support.send("GET", `/operator/v1/${path}`);
        assert.equal(answer.status, 400, path);
        assert.deepEqual(fieldsOf(answer), fields, path);
      }
    });
  });

  test("without the simulated provider, a payment is 503 settlement_unavailable", async () => {
    const service = await startTestService(engine, { settings: { IRONLEASE_SETTLEMENT: "none" } });
    try {
      const finance = await service.operator("finance");
      const body = { address: "sim-btc-x", amount: "1" };
      const answer = await finance.send("POST", "/operator/v1/simulated-payments", { body });
      assert.deepEqual([answer.status, codeOf(answer)], [503, "settlement_unavailable"]);
      assert.match(answer.json.error.message, /simulated/);
    } finally {
      await service.close();
    }
  });
});
