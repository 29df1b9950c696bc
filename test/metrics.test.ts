import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { openPostgres } from "#server/adapters/postgres/open-postgres.ts";
import { ConstraintViolation, type Engine } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { proxyTo } from "./engine-conformance/interruptible-proxy.ts";
import { destination } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Send } from "#test/https-client.ts";
import { sendRaw } from "#test/raw-https.ts";
import { order, startRental, type Rental } from "#test/rental-service.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { createTestDatabase } from "#test/test-database.ts";

type Series = ReadonlyMap<string, number>;

async function scrape(sendToDesk: Send): Promise<Series> {
  const answer = await sendToDesk("GET", "/metrics");
  assert.equal(answer.status, 200, answer.text);
  const lines = answer.text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

const requests = (listener: string, operation: string, status: string) =>
  `ironlease_http_requests_total{listener="${listener}",operation="${operation}",status="${status}"}`;

/** Polls, because background passes run on their own timers. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let polls = 0; polls < 2_000; polls += 1) if (await isTrue()) return;
  assert.fail("the condition never became true");
}

forEachEngine((engine) => {
  describe("metrics", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    /** How much each series grows during the work. */
    const growth = async (work: () => Promise<void>): Promise<(series: string) => number> => {
      const then = await scrape(rental.sendToDesk);
      await work();
      const now = await scrape(rental.sendToDesk);
      return (series) => (now.get(series) ?? 0) - (then.get(series) ?? 0);
    };

    test("every answer counts once by listener, operation and status class, including refusals and malformed requests", async () => {
      const ada = await rental.customer(100);
      const grown = await growth(async () => {
        await ada.send("GET", "/api/v1/me");
        await ada.send("GET", "/api/v1/me");
        await rental.send("GET", "/api/v1/me");
        await rental.send("PATCH", "/api/v1/me");
        await rental.send("GET", "/nowhere/at/all");
        await rental.sendToDesk("GET", "/operator/v1/overview");
        await sendRaw(rental.url, rental.ca, "GET\r\n\r\n");
        await ada.send("GET", "/docs");
      });
      assert.equal(grown(requests("account", "readAccount", "2xx")), 2);
      assert.equal(grown(requests("account", "readAccount", "4xx")), 1);
      // The wrong method, the unknown path and the malformed request.
      assert.equal(grown(requests("account", "none", "4xx")), 3);
      assert.equal(grown(requests("account", "none", "2xx")), 1);
      assert.equal(grown(requests("operator", "readOverview", "4xx")), 1);
      // The first scrape, which was counted after its text was generated.
      assert.equal(grown(requests("operator", "none", "2xx")), 1);
      const latencies = "ironlease_http_request_duration_seconds";
      const labels = 'listener="account",operation="readAccount"';
      assert.equal(grown(`${latencies}_count{${labels}}`), 3);
      assert.equal(grown(`${latencies}_bucket{${labels},le="+Inf"}`), 3);
      assert.ok(grown(`${latencies}_sum{${labels}}`) > 0);
    });

    test("requests in flight include the scrape itself", async () => {
      const series = await scrape(rental.sendToDesk);
      assert.equal(series.get('ironlease_http_requests_in_flight{listener="operator"}'), 1);
      assert.equal(series.get('ironlease_http_requests_in_flight{listener="account"}'), 0);
    });

    test("queue, funds, servers and machines match the database and contain no name or id", async () => {
      const ada = await rental.customer(200);
      // The service caches the funds for a minute, and the test clock stands still.
      rental.clock.advance(60_000);
      const then = await scrape(rental.sendToDesk);
      await ada.send("POST", "/api/v1/orders", {
        body: { ...order, quantity: 2 },
        headers: { "idempotency-key": "metrics-order" },
      });
      await ada.send("POST", "/api/v1/withdrawals", {
        body: { asset: "ETH", destination, usd: 30 },
        headers: { "idempotency-key": "metrics-withdrawal" },
      });
      rental.clock.advance(90_000);
      const now = await scrape(rental.sendToDesk);
      const grown = (series: string) => {
        const difference = (now.get(series) ?? assert.fail(series)) - (then.get(series) ?? 0);
        return Math.round(difference * 100) / 100;
      };
      assert.equal(grown('ironlease_work_items{kind="PROVISION",state="open"}'), 2);
      assert.equal(grown('ironlease_work_items{kind="WITHDRAWAL",state="open"}'), 1);
      assert.equal(grown('ironlease_work_items{kind="DDOS",state="claimed"}'), 0);
      assert.equal(now.get('ironlease_work_oldest_age_seconds{kind="PROVISION"}'), 90);
      assert.equal(now.get('ironlease_work_oldest_age_seconds{kind="RECLAIM"}'), 0);
      assert.equal(grown('ironlease_servers{state="PROVISIONING"}'), 2);
      assert.equal(grown('ironlease_machines{state="FREE"}'), -2);
      const offered = (config: string, region: string, state: string) =>
        grown(`ironlease_offer_machines{config="${config}",region="${region}",state="${state}"}`);
      assert.equal(offered("metal-s", "fra", "FREE"), -2);
      assert.equal(offered("metal-s", "fra", "RESERVED"), 2);
      assert.equal(offered("metal-s", "fra", "ASSIGNED"), 0);
      assert.equal(offered("metal-l", "ams", "FREE"), 0);
      assert.equal(grown('ironlease_machines{state="RESERVED"}'), 2);
      assert.equal(grown('ironlease_customer_funds_usd{part="spendable"}'), -129.98);
      assert.equal(grown('ironlease_customer_funds_usd{part="held"}'), 30);
      assert.equal(now.get("ironlease_database_up"), 1);
      const names = [...now.keys()].join("\n");
      assert.doesNotMatch(names, /[a-z]{3}_[0-9a-z]{26}/);
      assert.ok(!names.includes(ada.username));
      assert.match(names, /ironlease_build_info\{version="[\d.]+",node="26[\d.]+",engine="\w+"\}/);
      assert.match(names, /^process_resident_memory_bytes$/m);
      await rental.assertInvariants();
    });

    test("each background pass reports its runs, failures, last success and results", async () => {
      const finance = await rental.operator("finance");
      const ada = await rental.customer(0);
      const headers = { "idempotency-key": "metrics-deposit" };
      const { json } = await ada.send("POST", "/api/v1/deposit-addresses", {
        body: { asset: "USDT" },
        headers,
      });
      const payment = { address: json.address, amount: "5" };
      await rental.core.settlement?.payments?.simulatePayment(payment);
      const credited = 'ironlease_pass_done_total{pass="settlement",what="credited"}';
      await until(async () => ((await scrape(rental.sendToDesk)).get(credited) ?? 0) >= 1);
      const series = await scrape(finance.send);
      for (const pass of ["settlement", "renewals", "sweep", "certificate"]) {
        assert.ok((series.get(`ironlease_pass_runs_total{pass="${pass}"}`) ?? 0) >= 1, pass);
        assert.equal(series.get(`ironlease_pass_failures_total{pass="${pass}"}`), 0, pass);
        const last = series.get(`ironlease_pass_last_success_timestamp_seconds{pass="${pass}"}`);
        assert.ok(Math.abs(rental.clock.now() / 1000 - (last ?? 0)) < 3_600, pass);
      }
      assert.equal(series.get('ironlease_pass_done_total{pass="renewals",what="charged"}'), 0);
    });
  });

  test("each chain reports its height, how far it was scanned, and payments that wait for confirmations", async () => {
    const rental = await startRental(engine);
    try {
      const ada = await rental.customer(0);
      const { json } = await ada.send("POST", "/api/v1/deposit-addresses", {
        body: { asset: "BTC" },
        headers: { "idempotency-key": "metrics-chain" },
      });
      const pay = (confirmations: number) =>
        rental.core.settlement?.payments?.simulatePayment({
          ...{ address: json.address, amount: "0.25", transactionId: "metrics", confirmations },
        });
      const waitFor = (isReached: (value: number) => boolean, series: string) =>
        until(async () => {
          // The service caches these figures for a second, and the test clock stands still.
          rental.clock.advance(1_000);
          return isReached((await scrape(rental.sendToDesk)).get(series) ?? -1);
        });
      const wait = (series: string, value: number) => waitFor((found) => found === value, series);
      const labels = '{network="bitcoin",asset="BTC"}';
      await pay(1);
      await wait(`ironlease_unconfirmed_deposits${labels}`, 1);
      // A scan records its heights after its deposits.
      for (const height of ["chain_height", "chain_scanned_height"]) {
        await waitFor((found) => found >= 1, `ironlease_${height}{network="bitcoin"}`);
      }
      const series = await scrape(rental.sendToDesk);
      const of = (name: string) => series.get(`ironlease_${name}{network="bitcoin"}`);
      assert.equal(series.get(`ironlease_unconfirmed_coins${labels}`), 0.25);
      assert.equal(series.get('ironlease_unconfirmed_coins{network="monero",asset="XMR"}'), 0);
      assert.ok((of("chain_last_scan_timestamp_seconds") ?? 0) > 0);
      assert.deepEqual([of("chain_credits_total"), of("chain_failures_total")], [0, 0]);
      await pay(2);
      await wait('ironlease_chain_credits_total{network="bitcoin"}', 1);
      await wait(`ironlease_unconfirmed_deposits${labels}`, 0);
    } finally {
      await rental.close();
    }
  });

  test("during a database outage the service is healthy but not ready, and still reports process metrics", async () => {
    const { service, cut, restore } = await interruptible(engine);
    try {
      assert.equal((await service.sendToDesk("GET", "/readyz")).status, 200);
      await cut();
      const ready = await service.sendToDesk("GET", "/readyz");
      assert.deepEqual([ready.status, codeOf(ready)], [503, "service_unavailable"]);
      assert.equal(ready.json.error.message, "The database does not respond.");
      assert.equal((await service.sendToDesk("HEAD", "/readyz")).status, 503);
      assert.equal((await service.sendToDesk("GET", "/healthz")).status, 200);
      assert.equal((await service.send("GET", "/api/v1/catalogue")).status, 503);
      const troubles = 'ironlease_database_errors_total{kind="unavailable"}';
      const failed = 'ironlease_pass_failures_total{pass="settlement"}';
      await until(async () => ((await scrape(service.sendToDesk)).get(failed) ?? 0) > 0);
      const series = await scrape(service.sendToDesk);
      assert.equal(series.get("ironlease_database_up"), 0);
      assert.ok((series.get(troubles) ?? 0) > 0);
      assert.equal(series.get(requests("account", "readCatalogue", "5xx")), 1);
      assert.ok([...series.keys()].includes("process_resident_memory_bytes"));
      assert.ok(![...series.keys()].some((name) => name.startsWith("ironlease_work_items")));
      if (restore !== undefined) {
        await restore();
        assert.equal((await service.sendToDesk("GET", "/readyz")).status, 200);
        assert.equal((await scrape(service.sendToDesk)).get("ironlease_database_up"), 1);
      }
    } finally {
      await service.close();
    }
  });
});

test("onTrouble reports each retried write and each constraint violation once", async () => {
  const database = await createTestDatabase();
  const reported: string[] = [];
  const onTrouble = (trouble: string) => reported.push(trouble);
  const db = await openPostgres({
    url: database.url,
    poolSize: 1,
    onIdleError: () => {},
    onTrouble,
  });
  try {
    let attempts = 0;
    const result = await db.write(async (tx) => {
      attempts += 1;
      const lose = sql`do $$ begin raise exception using errcode = '40001'; end $$`;
      if (attempts <= 2) await lose.execute(tx);
      return ok(attempts);
    });
    assert.deepEqual(result, ok(3));
    const table = sql`create temporary table rows (id integer constraint rows_positive check (id > 0))`;
    const broken = db.write(async (tx) => {
      await table.execute(tx);
      return ok(await sql`insert into rows values (0)`.execute(tx));
    });
    await assert.rejects(broken, ConstraintViolation);
    assert.deepEqual(reported, ["retried", "retried", "constraint"]);
  } finally {
    await db.close();
    await database.drop();
  }
});

/** A service whose database connection can be cut, and on PostgreSQL restored. */
async function interruptible(engine: Engine): Promise<{
  service: TestService;
  cut: () => Promise<void>;
  restore: (() => Promise<void>) | undefined;
}> {
  if (engine === "sqlite") {
    const service = await startTestService(engine);
    return { service, cut: () => service.core.db.close(), restore: undefined };
  }
  const proxy = await proxyTo((await createTestDatabase()).url);
  const settings = { IRONLEASE_DATABASE_URL: proxy.url };
  const service = await startTestService(engine, { settings });
  return {
    service: {
      ...service,
      close: async () => {
        await service.close();
        await proxy.cut();
      },
    },
    cut: () => proxy.cut(),
    restore: () => proxy.restore(),
  };
}
