import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ok } from "#kernel/result.ts";
import { readAccountSummary } from "#features/account-summary/read-account-summary.ts";
import { forEachEngine } from "#test/engines.ts";
import { startRental, type Rental } from "#test/rental-service.ts";
import { seedServer } from "#test/rental.ts";

const dayMs = 86_400_000;

forEachEngine((engine) => {
  describe("GET /api/v1/account-summary", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    const isoAfter = (days: number) => new Date(rental.clock.now() + days * dayMs).toISOString();
    const dayAfter = (days: number) => isoAfter(days).slice(0, 10);

    test("a new account has zeros, no servers and 90 days without a balance", async () => {
      const { status, json } = await (await rental.customer(0)).send("GET", path);
      const { balances, ...sums } = json;
      assert.equal(status, 200);
      assert.deepEqual(sums, {
        balanceUsd: 0,
        heldUsd: 0,
        monthlyUsd: 0,
        upcoming: [],
        serverStates: [],
        grace: { count: 0, first: null },
        quotes: { count: 0, first: null },
        lowBalance: null,
        renewals: [],
        uncovered: null,
      });
      assert.equal(balances.length, 90);
      assert.deepEqual(balances.at(-1), { day: dayAfter(-1), usd: 0 });
      assert.deepEqual(balances[0], { day: dayAfter(-90), usd: 0 });
    });

    test("sums and projections cover every server, and only servers that renew", async () => {
      const ada = await rental.customer(160);
      const { core } = rental;
      const add = (seed: Parameters<typeof seedServer>[2]) =>
        seedServer(core, ada.accountId, { priceCents: 5_000, ...seed });
      const grace = await add({ state: "GRACE" });
      const weekly = await add({ term: "weekly", priceCents: 700 });
      const quoted = await add({});
      await add({ autoRenew: false, priceCents: 99_900 });
      await add({ state: "PROVISIONING" });
      await add({ state: "SUSPENDED" });
      await add({ state: "TERMINATED" });
      await change(quoted.id, {
        ddos_requested_mode: "ADVANCED",
        ddos_offer_cents: 2_500,
        ddos_offered_at: rental.clock.now(),
        ddos_offer_expires_at: rental.clock.now() + 14 * dayMs,
        label: "Shop",
      });
      const { json } = await ada.send("GET", path);
      assert.deepEqual(json.serverStates.map(wordsOf).toSorted(), [
        "1 GRACE",
        "1 PROVISIONING",
        "1 SUSPENDED",
        "3 ACTIVE",
      ]);
      assert.equal(json.monthlyUsd, 230);
      assert.deepEqual(ids(json.grace), [1, grace.id, isoAfter(2), 50]);
      assert.deepEqual(ids(json.quotes), [1, quoted.id, isoAfter(14), 25]);
      const { label, configId, region } = json.quotes.first;
      assert.deepEqual([label, configId, region], ["Shop", "metal-s", "fra"]);
      assert.equal(json.lowBalance, null);
      assert.deepEqual(json.upcoming.map(({ id }: { id: string }) => id).slice(0, 2), [
        grace.id,
        weekly.id,
      ]);
      assert.equal(json.upcoming.length, 4);
      assert.deepEqual(json.renewals.slice(0, 2), [
        { day: dayAfter(0), count: 1, usd: 50 },
        { day: dayAfter(7), count: 1, usd: 7 },
      ]);
      // 50 in grace, then four weeks of 7, then 50 more on day 29, and 50 twice on day 30.
      assert.deepEqual([json.uncovered.at, json.uncovered.usd], [isoAfter(30), 50]);
    });

    test("a balance below the renewals of three days is low, by what is missing", async () => {
      const ada = await rental.customer(10);
      await seedServer(rental.core, ada.accountId, { state: "GRACE", priceCents: 2_550 });
      const { json } = await ada.send("GET", path);
      assert.deepEqual(json.lowBalance, { until: isoAfter(3), neededUsd: 25.5, missingUsd: 15.5 });
    });

    test("an accepted or expired quote no longer waits for the customer", async () => {
      const ada = await rental.customer(10);
      const now = rental.clock.now();
      const offered = { ddos_requested_mode: "ADVANCED", ddos_offer_cents: 100 } as const;
      const server = await seedServer(rental.core, ada.accountId);
      const other = await seedServer(rental.core, ada.accountId);
      const times = { ddos_offered_at: now - dayMs, ddos_offer_expires_at: now + dayMs };
      await change(server.id, { ...offered, ...times, ddos_offer_accepted_at: now });
      await change(other.id, { ...offered, ...times, ddos_offer_expires_at: now });
      assert.equal((await ada.send("GET", path)).json.quotes.count, 0);
    });

    test("past balances are those at the end of each day, for any number of entries", async () => {
      const ada = await rental.customer(0);
      const expected: number[] = [];
      for (let day = 0; day < 12; day += 1) {
        for (let entry = 0; entry <= day % 4; entry += 1) await rental.credit(ada, 100 + day);
        const { available_cents: cents } = await rental.core.db.read
          .selectFrom("balances")
          .select("available_cents")
          .where("account_id", "=", ada.accountId)
          .executeTakeFirstOrThrow();
        expected.push(cents);
        rental.clock.advance(dayMs);
      }
      const read = async () => (await readAccountSummary(rental.core, ada.accountId)).balances;
      const cents = (await read()).map((balance) => balance.cents);
      assert.deepEqual(cents, [...Array.from({ length: 78 }, () => 0), ...expected]);
      // Entries before the first day count, too.
      rental.clock.advance(85 * dayMs);
      assert.deepEqual(
        (await read()).slice(0, 3).map((balance) => balance.cents),
        expected.slice(7, 10),
      );
    });

    test("account-changes answers the sums, and a count that grows when a list has changed", async () => {
      const [ada, bob] = [await rental.customer(100), await rental.customer(5)];
      const read = async () => (await ada.send("GET", "/api/v1/account-changes")).json;
      const first = await read();
      assert.deepEqual(
        { ...first, changes: 0 },
        {
          username: ada.username,
          balanceUsd: 100,
          heldUsd: 0,
          unread: 0,
          changes: 0,
          threadChanges: 0,
        },
      );
      await rental.credit(bob, 2_500);
      assert.deepEqual(await read(), first);
      await rental.credit(ada, 2_500);
      const credited = await read();
      assert.equal(credited.balanceUsd, 125);
      assert.ok(credited.changes > first.changes);
      await ada.send("POST", "/api/v1/withdrawals", {
        body: { asset: "ETH", destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", usd: 25 },
        headers: { "idempotency-key": "changes-withdrawal-1" },
      });
      const held = await read();
      assert.deepEqual([held.balanceUsd, held.heldUsd], [100, 25]);
      assert.ok(held.changes > credited.changes);
      for (const subject of ["One", "Two"]) {
        const headers = { "idempotency-key": `changes-thread-${subject}` };
        await ada.send("POST", "/api/v1/threads", { body: { subject, text: "Hello" }, headers });
      }
      await rental.core.db.write(async (tx) => {
        const threads = tx.updateTable("threads").where("account_id", "=", ada.accountId);
        await threads.set({ customer_unread: 2 }).execute();
        return ok();
      });
      assert.equal((await read()).unread, 4);
    });

    test("account-changes counts every change of a thread, also if an operator closes it without a message", async () => {
      const [ada, bob] = [await rental.customer(0), await rental.customer(0)];
      const operator = await rental.operator("support");
      const counts: number[] = [];
      const count = async () => {
        const { threadChanges } = (await ada.send("GET", "/api/v1/account-changes")).json;
        counts.push(threadChanges);
      };
      let keys = 0;
      const change = async (by: Pick<typeof ada, "send">, to: string, body: object) => {
        const headers = { "idempotency-key": `thread-change-${ada.accountId}-${(keys += 1)}` };
        const { status, json, text } = await by.send("POST", to, { body, headers });
        assert.ok(status < 300, text);
        return json;
      };
      await count();
      const { id } = await change(ada, "/api/v1/threads", { subject: "Disk", text: "Hello" });
      await count();
      await change(operator, `/operator/v1/threads/${id}/close`, {});
      await count();
      await change(operator, `/operator/v1/threads/${id}/messages`, { text: "Replaced." });
      await count();
      await change(ada, `/api/v1/threads/${id}/read`, {});
      await count();
      await change(ada, `/api/v1/threads/${id}/close`, {});
      await count();
      assert.deepEqual(
        counts.map((number, at) => at === 0 || number > (counts[at - 1] ?? 0)),
        counts.map(() => true),
        counts.join(),
      );
      // What only operators see, and threads of others.
      await change(operator, `/operator/v1/threads/${id}/assign`, { operator: operator.username });
      await change(bob, "/api/v1/threads", { subject: "Disk", text: "Hello" });
      await count();
      assert.equal(counts.at(-1), counts.at(-2));
    });

    const path = "/api/v1/account-summary";
    const wordsOf = ({ state, count }: { state: string; count: number }) => `${count} ${state}`;
    const ids = ({
      count,
      first,
    }: {
      count: number;
      first: { id: string; at: string; usd: number };
    }) => [count, first.id, first.at, first.usd];
    const change = (id: string, columns: object) =>
      rental.core.db.write(async (tx) => {
        await tx.updateTable("servers").set(columns).where("id", "=", id).execute();
        return ok();
      });
  });
});
