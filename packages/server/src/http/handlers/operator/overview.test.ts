import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { destination } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer, type Send } from "#test/https-client.ts";
import { order, startRental, type Rental } from "#test/rental-service.ts";
import { startTestService } from "#test/service.ts";
import { isoTime } from "#ports/clock.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

forEachEngine((engine) => {
  describe("oversight over HTTPS", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    const addressOf = async (send: Send, asset: string, key: string): Promise<string> => {
      const headers = { "idempotency-key": key };
      const made = await send("POST", "/api/v1/deposit-addresses", { body: { asset }, headers });
      assert.equal(made.status, 201, made.text);
      return made.json.address;
    };
    const fieldsOf = ({ json }: Answer): string[] =>
      json.error.fields.map(({ field }: { field: string }) => field);

    test("the overview has every kind, state and day, and its sums are those of the movements", async () => {
      // In the middle of a day, wherever the test is run.
      rental.clock.advance(dayMs - (rental.clock.now() % dayMs) + 12 * hourMs);
      const before = await read(rental);
      assert.deepEqual(
        before.work.map(({ kind }: { kind: string }) => kind),
        ["PROVISION", "SERVER_ACTION", "WITHDRAWAL", "DDOS", "RECLAIM"],
      );
      assert.deepEqual(
        before.servers.map(({ state }: { state: string }) => state),
        ["PROVISIONING", "ACTIVE", "GRACE", "SUSPENDED", "TERMINATED"],
      );
      assert.deepEqual(before.machines, [
        { state: "FREE", count: 123 },
        ...["RESERVED", "ASSIGNED", "DIRTY", "RETIRED"].map((state) => ({ state, count: 0 })),
      ]);
      assert.deepEqual([before.balancesUsd, before.heldUsd], [0, 0]);
      for (const list of [before.revenueByDay, before.depositsByDay, before.payoutsByDay]) {
        assert.deepEqual(
          list.map(({ usd }: { usd: number }) => usd),
          Array.from({ length: 30 }, () => 0),
        );
      }

      const finance = await rental.operator("finance");
      const ada = await rental.customer(0);
      const address = await addressOf(ada.send, "USDT", "overview-deposit");
      await finance.send("POST", "/operator/v1/simulated-payments", {
        body: { address, amount: "400" },
      });
      const orderedAt = rental.clock.now();
      await ada.send("POST", "/api/v1/orders", {
        body: { ...order, quantity: 2 },
        headers: { "idempotency-key": "overview-order" },
      });
      for (const usd of [25, 50]) {
        await ada.send("POST", "/api/v1/withdrawals", {
          body: { asset: "ETH", destination, usd },
          headers: { "idempotency-key": `overview-withdrawal-${usd}` },
        });
      }
      rental.clock.advance(dayMs);
      // Sessions have ended meanwhile.
      const payer = await rental.operator("finance");
      const end = async (kind: string, verb: string, body: object) => {
        const list = await payer.send("GET", `/operator/v1/work?kind=${kind}`);
        const path = `/operator/v1/work/${list.json.work[0].id}`;
        assert.equal((await payer.send("POST", `${path}/claim`)).status, 200);
        const ended = await payer.send("POST", `${path}/${verb}`, { body });
        assert.equal(ended.status, 200, ended.text);
      };
      await end("WITHDRAWAL", "complete", { transactionId: "0xfeed" });
      await end("PROVISION", "fail", { reason: "The machine is broken." });

      const then = await read(rental);
      const dayOf = (time: number) => isoTime(time).slice(0, 10);
      const [today, yesterday] = [dayOf(rental.clock.now()), dayOf(orderedAt)];
      const moved = (list: { day: string; usd: number }[]) => list.filter(({ usd }) => usd !== 0);
      assert.deepEqual(moved(then.revenueByDay), [
        { day: yesterday, usd: 99.98 },
        { day: today, usd: -49.99 },
      ]);
      assert.deepEqual(moved(then.depositsByDay), [{ day: yesterday, usd: 400 }]);
      assert.deepEqual(moved(then.payoutsByDay), [{ day: today, usd: 25 }]);
      assert.equal(then.revenueByDay.at(-1).day, today);
      assert.deepEqual([then.balancesUsd, then.heldUsd], [400 - 99.98 - 75 + 49.99, 50]);
      const oldest = { oldestAt: isoTime(orderedAt), oldestAgeSeconds: dayMs / 1000 };
      assert.deepEqual(then.work.slice(0, 3), [
        { kind: "PROVISION", open: 1, claimed: 0, ...oldest },
        { kind: "SERVER_ACTION", open: 0, claimed: 0, oldestAt: null, oldestAgeSeconds: null },
        { kind: "WITHDRAWAL", open: 1, claimed: 0, ...oldest },
      ]);
      assert.deepEqual(then.servers[0], { state: "PROVISIONING", count: 1 });
      assert.deepEqual(then.servers[4], { state: "TERMINATED", count: 1 });

      // Thirty days are shown, so what was ordered is out of sight on the thirtieth day after.
      rental.clock.advance(29 * dayMs);
      const later = await read(rental);
      assert.deepEqual(moved(later.revenueByDay), [{ day: today, usd: -49.99 }]);
      await rental.assertInvariants();
    });

    test("work whose lease has lapsed counts as open before anybody has swept it", async () => {
      const ada = await rental.customer(100);
      await ada.send("POST", "/api/v1/withdrawals", {
        body: { asset: "ETH", destination, usd: 10 },
        headers: { "idempotency-key": "lapsing-withdrawal" },
      });
      const finance = await rental.operator("finance");
      const list = await finance.send("GET", "/operator/v1/work?kind=WITHDRAWAL&state=OPEN");
      const claimed = list.json.work.at(-1);
      const counts = async () => {
        const { work } = await read(rental);
        return [work[2].open, work[2].claimed];
      };
      const [open = 0] = await counts();
      await finance.send("POST", `/operator/v1/work/${claimed.id}/claim`);
      assert.deepEqual(await counts(), [open - 1, 1]);
      rental.clock.advance(30 * 60_000);
      assert.deepEqual(await counts(), [open, 0]);
      await rental.assertInvariants();
    });

    test("a simulated payment is credited when it is answered, and its operator is in the audit", async () => {
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
      // The network loses it after all: the customer's list keeps what was true, the desk's does not.
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

    test("deposits come a page at a time, the newest first, none twice and none left out", async () => {
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
      ["nothing at all", {}, ["address", "amount"]],
      ["an address that was not handed out", { address: "sim-btc-none" }, ["address"]],
      ["an amount in words", { amount: "one" }, ["amount"]],
      ["an amount of nothing", { amount: "0" }, ["amount"]],
      ["more decimals than the coin has", { amount: "0.0000001" }, ["amount"]],
      ["confirmations below zero", { confirmations: -1 }, ["confirmations"]],
      ["a transaction with a space", { transactionId: "a b" }, ["transactionId"]],
      ["a field that there is none of", { isGone: true }, ["isGone"]],
    ];
    test("a payment that makes no sense is refused by the names of its fields", async () => {
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

    test("filters that make no sense are refused by name, and a NUL is no exception", async () => {
      const support = await rental.operator("support");
      const cases: [string, string[]][] = [
        ["audit?since=yesterday", ["since"]],
        ["audit?until=2026-02-31T00:00:00.000Z", ["until"]],
        ["audit?since=2026-11-15T09:30:00%2B01:00", ["since"]],
        [`audit?actor=${"a".repeat(129)}`, ["actor"]],
        ["audit?actor=%00", ["actor"]],
        ["audit?page=2", ["page"]],
        ["audit?actor=a&actor=b", ["actor"]],
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

  test("without the simulated provider nothing can be paid, and it says so", async () => {
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

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on it field by field
async function read(rental: Rental): Promise<any> {
  const support = await rental.operator("support");
  const answer = await support.send("GET", "/operator/v1/overview");
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
