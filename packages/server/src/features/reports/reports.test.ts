import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { register } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { signInOperator, type SignedInOperator } from "#test/operators.ts";
import { seedServer } from "#test/rental.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { move } from "#kernel/ledger.ts";
import { ok } from "#kernel/result.ts";

const path = "/operator/v1/reports";
const dayMs = 86_400_000;

forEachEngine((engine) => {
  describe("reports", () => {
    let service: TestService;
    let finance: SignedInOperator;
    /** The current month, and the one before it. */
    let months: readonly [string, string];
    before(async () => {
      service = await startTestService(engine);
      const { core, clock } = service;
      // The tenth of a month, so that a few days on it is still the same month.
      const now = new Date(clock.now());
      clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10, 12) - clock.now());
      const before = new Date(clock.now() - 20 * dayMs).toISOString().slice(0, 7);
      months = [new Date(clock.now()).toISOString().slice(0, 7), before];
      const { accountId } = await register(core);
      await seedServer(core, accountId, { priceCents: 10_000 });
      const { id } = await seedServer(core, accountId, { priceCents: 7_000, term: "weekly" });
      clock.advance(dayMs);
      await seedServer(core, accountId, { priceCents: 5_000, configId: "gpu-l", regionId: "iad" });
      await seedServer(core, accountId, { priceCents: 900, state: "TERMINATED" });
      const refund = { type: "REFUND", accountId, cents: 700, description: "" } as const;
      const reference = { kind: "server", id };
      const refunded = await core.db.write((tx) =>
        move({ tx, core }, { ...refund, cause: "refund", reference }),
      );
      assert.ok(refunded.ok);
      finance = await signInOperator(core, service.sendToDesk, "finance");
    });
    after(() => service.close());

    const read = async (report: string) => {
      const answer = await finance.send("GET", `${path}/${report}`);
      assert.equal(answer.status, 200, answer.text);
      return answer.json;
    };

    test("revenue is charges minus refunds, by day and by offer, and both sum to the month", async () => {
      const revenue = await read("revenue");
      assert.equal(revenue.month, months[0]);
      const { chargedUsd, refundedUsd, revenueUsd } = revenue;
      assert.deepEqual([chargedUsd, refundedUsd, revenueUsd], [229, 7, 222]);
      assert.deepEqual(revenue.offers, [
        { configId: "metal-s", regionId: "fra", chargedUsd: 179, refundedUsd: 7, revenueUsd: 172 },
        { configId: "gpu-l", regionId: "iad", chargedUsd: 50, refundedUsd: 0, revenueUsd: 50 },
      ]);
      const days = revenue.days as readonly { day: string; revenueUsd: number }[];
      assert.deepEqual(
        days.filter((day) => day.revenueUsd !== 0).map((day) => [day.day, day.revenueUsd]),
        [
          [`${months[0]}-10`, 170],
          [`${months[0]}-11`, 52],
        ],
      );
      assert.equal(days.length, 11, "up to today");
      // Past days come from the cache.
      assert.deepEqual(await read("revenue"), revenue);
      const earlier = await read(`revenue?month=${months[1]}`);
      assert.equal(earlier.revenueUsd, 0);
      assert.deepEqual((await read("revenue?month=2099-12")).days, []);
    });

    test("recurring revenue counts delivered servers, weekly prices 30/7 times", async () => {
      assert.deepEqual(await read("recurring"), {
        monthlyUsd: 450,
        servers: 3,
        offers: [
          { configId: "metal-s", regionId: "fra", servers: 2, monthlyUsd: 400 },
          { configId: "gpu-l", regionId: "iad", servers: 1, monthlyUsd: 50 },
        ],
      });
    });

    test("churn counts deliveries and ends in their months", async () => {
      const all = (await read("churn")).months;
      assert.equal(all.length, 12);
      assert.deepEqual(all.at(-1), {
        ...{ month: months[0], atStart: 0, delivered: 4, ended: 1, churnPercent: null },
      });
      assert.equal(all.at(-2).month, months[1]);
    });

    test("balances fall into the age of the account's last entry and sum to all balances", async () => {
      const { core, clock } = service;
      const { accountId } = await register(core);
      const given = { type: "ADJUSTMENT", accountId, cents: 4_200, description: "" } as const;
      clock.advance(-60 * dayMs);
      await core.db.write((tx) =>
        move({ tx, core }, { ...given, cause: "old", reference: { kind: "adjustment" } }),
      );
      clock.advance(60 * dayMs);
      finance = await signInOperator(core, service.sendToDesk, "finance");
      const { ages } = await read("balances");
      assert.deepEqual(
        ages.map((age: { accounts: number; availableUsd: number }) => [
          age.accounts,
          age.availableUsd,
        ]),
        [
          [1, 7],
          [1, 42],
          [0, 0],
          [0, 0],
          [0, 0],
        ],
      );
    });

    test("the ledger's export has every entry of the month once, in pages, and sums to the ledger", async () => {
      const { core } = service;
      const { accountId } = await register(core);
      await core.db.write(async (tx) => {
        for (let count = 0; count < 600; count += 1) {
          const given = { type: "ADJUSTMENT", accountId, cents: 1, description: "" } as const;
          const reference = { kind: "adjustment" };
          const moved = await move({ tx, core }, { ...given, cause: `many/${count}`, reference });
          if (!moved.ok) return moved;
        }
        await tx
          .insertInto("house_entries")
          .values({
            ...{ id: core.ids.next("ledgerEntry"), created_at: core.clock.now(), cause: "fee" },
            ...{ from_account: "house/network-fees", to_account: "house/settlement/BTC" },
            ...{ amount_cents: 5, network: "bitcoin", asset: "BTC", amount_units: "500" },
            ...{ description: "", reference_kind: "payout", reference_id: "pay_1" },
          })
          .execute();
        return ok();
      });
      const answer = await finance.send("GET", `${path}/ledger`, {
        headers: { accept: "text/csv" },
      });
      assert.match(String(answer.headers["content-disposition"]), /ledger-20\d\d-\d\d\.csv/);
      // No cell of this ledger needs quotes.
      const lines = answer.text.trimEnd().split("\r\n");
      const [header, ...rows] = lines.map((line) => line.split(","));
      assert.deepEqual(header, [
        ...["date", "entry_id", "debit_account", "credit_account", "amount_usd", "type"],
        "reference",
      ]);
      const ids = rows.map(([, id]) => id);
      assert.deepEqual(
        ids,
        [...new Set(ids)].toSorted((a = "", b = "") => (a < b ? -1 : 1)),
      );
      assert.ok(rows.length > 600);
      const fee = rows.at(-1) ?? assert.fail();
      assert.deepEqual(fee.slice(2), [
        ...["house/network-fees", "house/settlement/BTC", "0.05", "NETWORK_FEE", "payout/pay_1"],
      ]);
      // Revenue as the export has it: what is credited, less what is debited.
      const cents = (account: string, column: number) =>
        rows
          .filter((row) => row[column] === account)
          .reduce((sum, row) => sum + Math.round(Number(row[4]) * 100), 0);
      assert.equal(cents("house/revenue", 3) - cents("house/revenue", 2), 22_200);
      const { json } = await finance.send("GET", `${path}/ledger`);
      assert.deepEqual(
        json.entries.map(({ id }: { id: string }) => id),
        ids,
      );
      const other = await finance.send("GET", `${path}/ledger?month=${months[1]}`);
      const shared = other.json.entries.filter(({ id }: { id: string }) => ids.includes(id));
      assert.deepEqual(shared, []);
    });

    test("a month that is none names the field, and support gets no report", async () => {
      const answer = await finance.send("GET", `${path}/revenue?month=2026-13`);
      assert.equal(answer.json.error.fields[0].field, "month");
      const support = await signInOperator(service.core, service.sendToDesk, "support");
      for (const report of ["revenue", "recurring", "churn", "balances", "ledger"]) {
        assert.equal(codeOf(await support.send("GET", `${path}/${report}`)), "role_forbidden");
      }
    });
  });
});
