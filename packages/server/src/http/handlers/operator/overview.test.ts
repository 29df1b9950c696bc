import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { destination } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Send } from "#test/https-client.ts";
import { order, startRental, type Rental } from "#test/rental-service.ts";
import { isoTime } from "#kernel/iso-time.ts";

const dayMs = 86_400_000;
const hourMs = 3_600_000;

forEachEngine((engine) => {
  describe("the overview over HTTPS", () => {
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
    test("lists every kind, state and day, with sums that match the ledger", async () => {
      // Noon UTC, so that the steps below stay within their day.
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
      assert.equal(before.reverseDns, null);
      const support = await rental.operator("support");
      const dns = await support.send("GET", "/operator/v1/dns");
      assert.deepEqual(dns.json, {
        isConnected: false,
        error: null,
        checkedAt: null,
        ...{ pending: 0, failed: 0, zones: [], drift: [] },
      });
      const run = await support.send("POST", "/operator/v1/dns/run");
      assert.deepEqual([run.status, codeOf(run)], [409, "conflict"]);
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
      // The earlier session has expired.
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
      const late = { targetSeconds: dayMs / 1000, overdue: 1 };
      assert.deepEqual(then.work.slice(0, 3), [
        { kind: "PROVISION", open: 1, claimed: 0, ...oldest, ...late },
        {
          ...{ kind: "SERVER_ACTION", open: 0, claimed: 0, oldestAt: null, oldestAgeSeconds: null },
          ...{ targetSeconds: 4 * 3600, overdue: 0 },
        },
        { kind: "WITHDRAWAL", open: 1, claimed: 0, ...oldest, ...late },
      ]);
      assert.deepEqual(then.servers[0], { state: "PROVISIONING", count: 1 });
      assert.deepEqual(then.servers[4], { state: "TERMINATED", count: 1 });

      // The overview shows 30 days, so the order has dropped out 30 days later.
      rental.clock.advance(29 * dayMs);
      const later = await read(rental);
      assert.deepEqual(moved(later.revenueByDay), [{ day: today, usd: -49.99 }]);
      await rental.assertInvariants();
    });

    test("work with an expired lease counts as open before the sweep", async () => {
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
  });
});

// oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on it field by field
async function read(rental: Rental): Promise<any> {
  const support = await rental.operator("support");
  const answer = await support.send("GET", "/operator/v1/overview");
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
