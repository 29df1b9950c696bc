import assert from "node:assert/strict";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { after, before, describe, mock, test } from "node:test";
import { operations, type Operation } from "@ironlease/contract";
import pg from "pg";
import { Batch } from "#server/adapters/postgres/batch.ts";
import { sendMails } from "#server/features/contact/send-mails.ts";
import { sweep } from "#server/features/housekeeping/sweep.ts";
import { signLiabilities } from "#server/features/liabilities/sign-liabilities.ts";
import { chainHistory } from "#server/features/ledger/chain-history.ts";
import { watchPayouts } from "#server/features/payouts/watch-payouts.ts";
import { readReverseDns } from "#server/features/reverse-dns/read-reverse-dns.ts";
import { requestRun } from "#server/features/reverse-dns/request-run.ts";
import { runReverseDns } from "#server/features/reverse-dns/run-pass.ts";
import { renewDueServers } from "#server/features/renewals/renew-due-servers.ts";
import { sumCustomerFunds } from "#server/features/overview/customer-funds.ts";
import { tellLowBalances } from "#server/features/renewals/tell-low-balances.ts";
import { sendDueWebhooks } from "#server/features/webhooks/send-webhooks.ts";
import { createSignal } from "#server/kernel/concurrency/signal.ts";
import type { Core } from "#server/kernel/core.ts";
import { ok } from "#server/kernel/result.ts";
import { DnsUnavailable } from "#server/ports/dns.ts";
import { addCounter } from "./engine-conformance/rows.ts";
import { startConsoleService, type ConsoleService } from "#test/console-service.ts";
import type { Send } from "#test/https-client.ts";
import { noMailServer } from "#test/no-mail-server.ts";
import { operatorCall } from "#test/operators.ts";
import { populateAccount } from "#test/populate-account.ts";
import { addSamplePayout } from "#test/sample-payout.ts";
import { password } from "#test/service.ts";
import { scriptedDns } from "#test/scripted-dns.ts";
import { performSampleRun } from "#test/hardware.ts";
import { multiplyRows } from "#test/multiply-rows.ts";
import { createMigratedDatabase, type TestDatabase } from "#test/test-database.ts";

/** A part of each statement that may scan or sort a table, and why it may. */
const allowed: Readonly<Record<string, string>> = {
  "from journal as j": "a report of one day",
  "as customers": "a page of the ledger's export: the first of two lists by id",
  "from balances as b": "a report: the accounts with money",
  'from "stock"': "a row for each offer",
  'from "subnets" where "region_id" = ?': "at most a thousand per region",
  'from "released_places" inner join "subnets"': "the released addresses of one region",
  'delete from "deposit_addresses"': "the unused addresses of one account",
  'from "servers" where "account_id" = ? and "order_id" in': "the servers of one page of orders",
  'from "servers" where "account_id" in (?': "the due servers of a batch of accounts",
  'where "servers"."id" = ? and "servers"."account_id" = ?': "the addresses of one server",
  'where "assignments"."server_id" in (?': "the addresses of one page of servers",
  "order by coalesce(paid_through": "the current servers of one account, by paidThrough",
  "order by lower(case label": "the same, by name",
  'from "servers" inner join "work" on': "the work of the servers of one machine",
  "from (select * from audit where actor = ?": "a hundred of each kind",
  'from "statement_keys" order by': "a row for each key that has ever signed",
  "available_cents + held_cents": "the liabilities of a day: the balances of all customers",
  'with recursive "days"("at")': "the balances of ninety days: each step seeks one entry",
  'from "notices" where "ends_at" > ?': "at most a hundred current notices",
  "accounts.username like ?": "a search for part of a name",
  "'FREE' as name": "the overview: a row for each offer, and passing states with an index",
  'select sum("available_cents")': "the funds of all customers, in a background job",
  'from "journal" where "id" >= ?': "the overview: one day",
  'select distinct "account_id" as "accountId" from "subscribers"': "a notice, seldom published",
  'with recursive "waiting"("id")': "the subscribers that have something to be sent",
  'from "subnets" where "family" = ?': "a zone is compared: the subnets of one family",
  'from "published_ptrs" where state <>': "the records that are not published, with an index",
  'update "published_ptrs" set "due_at" = ? where state <>': "the same, when an operator asks",
  'from "reverse_zones" order by case': "a row for each zone",
  'update "reverse_zones" set "compared_at" = ?': "a row for each zone, when an operator asks",
};

/** SQLite's query plan for each prepared statement. */
const plans = new Map<string, readonly string[]>();
// oxlint-disable-next-line typescript/unbound-method -- it is always called with its database
const { prepare } = DatabaseSync.prototype;

function prepareAndExplain(this: DatabaseSync, sql: string): StatementSync {
  if (/^\s*(select|with|insert|update|delete)\b/i.test(sql) && !plans.has(sql)) {
    const steps = prepare.call(this, `explain query plan ${sql}`).all() as { detail: string }[];
    plans.set(
      sql,
      steps.map(({ detail }) => detail),
    );
  }
  return prepare.call(this, sql);
}

/** Whether the statement sorts its result or scans a table, except to read a page in index order. */
function isUnbounded(sql: string, steps: readonly string[]): boolean {
  const sorts = steps.some((step) => /^USE TEMP B-TREE FOR (ORDER|GROUP) BY$/.test(step));
  const isPage = /\blimit \d+ *$/.test(sql) && !sorts;
  const scans = steps.some((step) => {
    const [, name = "", how] = /^SCAN (\w+)(?: USING (?:COVERING )?(INDEX))?/.exec(step) ?? [];
    return isTable(sql, name) && !(isPage && how === "INDEX");
  });
  return sorts || scans;
}

/** Excludes the aliases of subqueries. */
function isTable(sql: string, name: string): boolean {
  const isPart = sql.includes(`) as ${name}`) || sql.includes(`) as "${name}"`);
  return name !== "" && name !== "CONSTANT" && !isPart;
}

describe("query plans on SQLite", () => {
  let service: ConsoleService;
  before(async () => {
    mock.method(DatabaseSync.prototype, "prepare", prepareAndExplain);
    service = await startConsoleService(noMailServer);
    plans.clear();
    await populateAccount(service, "ada");
  });
  after(async () => {
    await service.close();
    mock.restoreAll();
  });

  test("no statement scans or sorts a table, except those on the allow-list", async () => {
    await exercise(service);
    const unbounded = [...plans].filter(([sql, steps]) => isUnbounded(sql, steps));
    const pieces = Object.keys(allowed);
    assert.deepEqual(
      unbounded.filter(([sql]) => !pieces.some((piece) => sql.includes(piece))),
      [],
    );
    assert.deepEqual(
      pieces.filter((piece) => !unbounded.some(([sql]) => sql.includes(piece))),
      [],
      "remove these from the allow-list",
    );
    assert.ok([...plans.keys()].some((sql) => sql.includes("(paid_through, id) > (?, ?)")));
  });

  test("a filtered page of the ledger reads the index of its filter", () => {
    for (const [column, index] of Object.entries(filterIndexes)) {
      const filtered = [...plans].filter(([sql]) => sql.includes(`("${column}", sequence) >`));
      assert.ok(filtered.length > 0);
      for (const [sql, [step]] of filtered) {
        assert.ok(step?.startsWith(`SEARCH entry USING INDEX ${index} (`), `${sql}: ${step}`);
      }
    }
  });
});

/** The index for each filter of the ledger. */
const filterIndexes = { type: "journal_by_type", reference_id: "journal_by_reference" };

/** Like `allowed`, for PostgreSQL. */
const allowedOnPostgres: Readonly<Record<string, string>> = {
  'as "lastSignInAt" from "operators" as "o" order by': "the operators, at most a thousand",
  'from "operators" where "disabled_at" is null order by': "the same",
  "from servers\n     where state in ('ACTIVE'": "a report: the delivered servers, with an index",
  "from balances as b": "a report: the accounts with money",
  'from "statement_keys" order by': "a row for each key that has ever signed",
  "available_cents + held_cents": "the liabilities of a day: the balances of all customers",
  'from "stock"': "a row for each offer",
  'and waiting_since is not null order by "id"': "what waits for customers, with an index",
  "accounts.username like $1": "a search for part of a name",
  "'FREE' as name": "the overview: a row for each offer, and passing states with an index",
  'select distinct "account_id" as "accountId" from "subscribers"': "a notice, seldom published",
  'select sum("available_cents")': "the funds of all customers, in a background job",
  'delete from "idempotency_keys" where operation in': "the messages of operators, with an index",
  'from "published_ptrs" where state <>': "the records that are not published, with an index",
  'update "published_ptrs" set "due_at" = $1 where state <>': "the same, when an operator asks",
  'from "reverse_zones" order by case': "a row for each zone",
  'update "reverse_zones" set "compared_at" = $1': "a row for each zone, when an operator asks",
};

/** A node in the output of `explain (format json)`. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Nodes that stream rows one by one, so that a limit above them ends the scan below. */
const streaming = /^(?:Limit|Nested Loop|Memoize|Subquery Scan|LockRows)$/;

/** Scans without an index condition, unless a limit ends the scan and no filter drops rows. */
function unboundedScans(node: PlanNode, isPage = false): readonly PlanNode[] {
  const type = node["Node Type"];
  const endsEarly = type === "Limit" || (isPage && streaming.test(type));
  const below = (node.Plans ?? []).flatMap((plan) => unboundedScans(plan, endsEarly));
  if (!isScan(node) || node["Index Cond"] !== undefined) return below;
  return isPage && type !== "Seq Scan" && node.Filter === undefined ? below : [node, ...below];
}

function scansOf(node: PlanNode): readonly PlanNode[] {
  return [...(isScan(node) ? [node] : []), ...(node.Plans ?? []).flatMap(scansOf)];
}

/** Excludes bitmap heap scans, which only fetch the rows that an index scan has found. */
function isScan(node: PlanNode): boolean {
  return /^(?:Seq|Index|Index Only|Bitmap Index) Scan$/.test(node["Node Type"]);
}

const described = (scan: PlanNode) =>
  [scan["Node Type"], scan["Relation Name"], scan["Index Name"], scan.Filter].join(" ");

/** The generic plan, which PostgreSQL uses after a prepared statement has run a few times. */
async function genericPlan(client: pg.Client, statement: string): Promise<PlanNode> {
  const { rows } = await client.query<{ "QUERY PLAN": readonly [{ readonly Plan: PlanNode }] }>(
    `explain (generic_plan, format json) ${statement}`,
  );
  return rows[0]?.["QUERY PLAN"][0].Plan ?? assert.fail(statement);
}

describe("query plans on PostgreSQL", () => {
  let database: TestDatabase;
  let client: pg.Client;
  const asked = new Set<string>();
  before(async () => {
    database = await createMigratedDatabase();
    // oxlint-disable-next-line typescript/unbound-method -- it is always called with its client
    const { query } = pg.Client.prototype;
    mock.method(pg.Client.prototype, "query", function (this: pg.Client, ...given: unknown[]) {
      const [first] = given as [string | { readonly text: string } | Batch];
      if (first instanceof Batch) for (const { text } of first.statements) asked.add(text);
      else asked.add(typeof first === "string" ? first : first.text);
      return Reflect.apply(query, this, given);
    });
    const service = await startConsoleService({
      ...noMailServer,
      IRONLEASE_DATABASE_URL: database.url,
    });
    asked.clear();
    await populateAccount(service, "ada");
    await exercise(service);
    mock.restoreAll();
    // Refill the tables that the sweep has emptied, because the plan for an empty table shows nothing.
    await service.core.db.write(async (tx) => ok(await addCounter(tx, "a limit")));
    const ada = await service.signIn("ada");
    await ada.send("POST", "/api/v1/auth/passkeys/begin");
    await ada.send("PUT", "/api/v1/contact", { body: { email: "ada@other.example" } });
    await service.operator("admin");
    await service.close();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  test("every statement finds its rows with an index, except those on the allow-list", async () => {
    await multiplyRows(client, 100);
    await client.query("analyze");
    // Makes the planner treat these small tables like large ones and use an index if there is one.
    for (const shortcut of ["seqscan", "hashjoin", "mergejoin"]) {
      await client.query(`set enable_${shortcut} = off`);
    }
    const unbounded: [string, readonly string[]][] = [];
    for (const statement of asked) {
      if (!/^\s*(select|with|insert|update|delete)\b/i.test(statement)) continue;
      const scans = unboundedScans(await genericPlan(client, statement));
      if (scans.length > 0) unbounded.push([statement, scans.map(described)]);
    }
    const pieces = Object.keys(allowedOnPostgres);
    assert.deepEqual(
      unbounded.filter(([sql]) => !pieces.some((piece) => sql.includes(piece))),
      [],
    );
    assert.deepEqual(
      pieces.filter((piece) => !unbounded.some(([sql]) => sql.includes(piece))),
      [],
      "remove these from the allow-list",
    );
  });

  test("a filtered page of the ledger reads the index of its filter", async () => {
    for (const [column, index] of Object.entries(filterIndexes)) {
      const filtered = [...asked].filter((sql) => sql.includes(`("${column}", sequence) >`));
      assert.ok(filtered.length > 0);
      for (const statement of filtered) {
        const [scan] = scansOf(await genericPlan(client, statement));
        assert.equal(scan?.["Index Name"], index, statement);
      }
    }
  });

  test("reserving a machine of a new configuration uses its index even with stale statistics", async () => {
    await client.query("alter table machines set (autovacuum_enabled = off)");
    await client.query("set session_replication_role = replica");
    await client.query("truncate machines cascade");
    const add = (configId: string, count: number) =>
      client.query(
        `insert into machines select $1 || n, $1 || n, $1, 'fra', 'FREE', 0
           from generate_series(1, $2::integer) as n`,
        [configId, count],
      );
    await add("metal-old", 20_000);
    await client.query("analyze machines");
    await add("metal-young", 500);
    await client.query("reset all");
    const reservations = [...asked].filter((sql) => sql.includes(`set "state" = 'RESERVED'`));
    assert.equal(reservations.length, 2, "one statement for one machine, one for many");
    for (const statement of reservations) {
      const scans = scansOf(await genericPlan(client, statement));
      assert.deepEqual(
        scans.map((scan) => [scan["Index Name"], scan.Filter]),
        [
          ["machines_for_sale", undefined],
          ["machines_pkey", undefined],
        ],
      );
      assert.match(scans[0]?.["Index Cond"] ?? "", /config_id, region_id, id/);
    }
  });
});

/** Sends every read of both listeners and runs the background passes. */
async function exercise(service: ConsoleService): Promise<void> {
  const customer = await service.signIn("ada");
  const desk = await service.operator("admin");
  const payout = await addSamplePayout(service.core);
  const signed = await signLiabilities(service.core);
  const ids = {
    ...(await idsFor(customer.send, desk.send)),
    "/operator/v1/payouts/{id}": payout,
    "/operator/v1/catalogue/versions/{version}": "1",
    "/api/v1/liabilities/{date}": signed?.tree.date ?? "",
  };
  for (const { method, path, listener } of Object.values<Operation>(operations)) {
    if (method !== "GET") continue;
    const send = listener === "operator" ? desk.send : customer.send;
    const target = idPath(ids, path);
    const next = `?after=${afterOf[path] ?? ""}`;
    const more = [...(path in afterOf ? [next] : []), ...(filters[path] ?? [])];
    for (const query of [queries[path] ?? "", ...more]) {
      const answer = await send("GET", target + query);
      assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    }
  }
  await closeAccount(service);
  await customer.send("POST", `${idPath(ids, "/api/v1/webhooks/{id}")}/test`);
  await sendMails(service.core);
  await exerciseReverseDns(service.core, customer.send);
  service.clock.advance(60 * 86_400_000);
  await performSampleRun(service.core);
  await watchPayouts(service.core);
  await renewDueServers(service.core);
  await tellLowBalances(service.core);
  await sumCustomerFunds(service.core);
  await sendDueWebhooks({ ...service.core, postWebhook: async () => ({ status: 204 }) });
  const rules = { ...service.core.rules, keepAddressesMs: 86_400_000 };
  await sweep({ ...service.core, rules });
  await chainHistory(service.core);
}

async function closeAccount(service: ConsoleService): Promise<void> {
  const leaving = await service.register("leaving");
  const closed = await leaving.send("POST", "/api/v1/account/close", { body: { password } });
  assert.equal(closed.status, 204, closed.text);
}

async function exerciseReverseDns(over: Core, send: Send): Promise<void> {
  const core: Core = { ...over, reverseDns: { dns: scriptedDns, changes: createSignal() } };
  const { assignments } = (await send("GET", "/api/v1/network")).json;
  const [{ id }] = assignments;
  await send("PUT", `/api/v1/network/${id}/rdns`, { body: { ptr: "plan.example.com" } });
  await runReverseDns(core, scriptedDns, { holder: "test" });
  await readReverseDns(core);
  await requestRun(core, await operatorCall(core, "support"));
  const readZone = () => Promise.reject(new DnsUnavailable("down"));
  await runReverseDns(core, { ...scriptedDns, readZone }, { holder: "test" });
}

/** Lists of an account whose later pages use different statements. */
const afterOf: Readonly<Record<string, string>> = {
  "/operator/v1/notices": "ntc_01h455vb4pex5vsknk084sn02q",
  "/api/v1/activity": "aud_01h455vb4pex5vsknk084sn02q",
  "/api/v1/ledger/entries": "led_01h455vb4pex5vsknk084sn02q",
  "/operator/v1/accounts/{id}/servers": "srv_01h455vb4pex5vsknk084sn02q",
  "/operator/v1/accounts/{id}/orders": "ord_01h455vb4pex5vsknk084sn02q",
  "/operator/v1/accounts/{id}/deposits": "dep_01h455vb4pex5vsknk084sn02q",
  "/operator/v1/accounts/{id}/withdrawals": "wdr_01h455vb4pex5vsknk084sn02q",
  "/operator/v1/accounts/{id}/ledger": "led_01h455vb4pex5vsknk084sn02q",
  "/operator/v1/threads": "thr_01h455vb4pex5vsknk084sn02q",
  "/operator/v1/accounts/{id}/notes": "nte_01h455vb4pex5vsknk084sn02q",
  "/operator/v1/accounts/{id}/audit": "aud_01h455vb4pex5vsknk084sn02q",
  "/operator/v1/machines/{id}/history": "wrk_01h455vb4pex5vsknk084sn02q",
  "/operator/v1/payouts": "pay_01h455vb4pex5vsknk084sn02q",
};

/** The id of the record in the path. */
function idFor(ids: Readonly<Record<string, string>>, path: string): string {
  return ids[path.slice(0, path.indexOf("}") + 1)] ?? "";
}

const idPath = (ids: Readonly<Record<string, string>>, path: string) =>
  path.replace(/\{(?:id|key|date|version)\}/, idFor(ids, path));

const aServer = "srv_01h455vb4pex5vsknk084sn02q";

/** Filters that use different statements. */
const filters: Readonly<Record<string, readonly string[]>> = {
  "/operator/v1/search": [
    "203.0.113.10",
    ...[..."acc srv net mch wrk act ddr wdr run thr msg pay ord dep".split(" ")].map(
      (prefix) => `${prefix}_01h455vb4pex5vsknk084sn02q`,
    ),
  ].map((text) => `?query=${text}`),
  "/operator/v1/work": [
    "?state=OPEN&kind=PROVISION&regionId=fra",
    "?state=DONE&regionId=fra",
    "?regionId=fra&minimumAgeHours=1",
    "?accountId=acc&state=DONE",
    "?operator=admin",
    "?operator=admin&state=CLAIMED&kind=DDOS",
    "?overdue=true",
    "?state=WAITING",
    "",
  ],
  "/api/v1/servers": [
    "?limit=50&include=assignments",
    `?after=${aServer}`,
    `?sort=paidThrough&after=${aServer}`,
    `?sort=name&after=${aServer}`,
    "?state=ACTIVE&regionId=fra&query=shop",
  ],
  "/api/v1/statement": ["?from=2026-01-01&to=2100-01-01"],
  "/api/v1/ledger/entries": [
    "?from=2026-01-01&to=2100-01-01",
    "?type=DEPOSIT",
    "?type=WITHDRAWAL_HOLD,WITHDRAWAL_PAID,WITHDRAWAL_RELEASE",
    "?type=DEPOSIT&from=2026-01-01&after=led_01h455vb4pex5vsknk084sn02q",
    "?reference=ord_01h455vb4pex5vsknk084sn02q",
    "?reference=ord_01h455vb4pex5vsknk084sn02q&type=ORDER_CHARGE,REFUND",
    "?reference=srv_01h455vb4pex5vsknk084sn02q&type=REFUND&after=led_01h455vb4pex5vsknk084sn02q",
  ],
  "/operator/v1/threads": [
    "?unread=true",
    "?regionId=fra",
    "?assignedTo=admin",
    "?accountId=acc",
    "?serverId=srv",
    "?minimumAgeHours=1",
  ],
};

const queries: Readonly<Record<string, string>> = {
  "/api/v1/quote": "?configId=metal-s&regionId=fra&osId=debian-13&term=monthly&quantity=1",
  "/operator/v1/accounts": "?query=ada",
  "/operator/v1/work": "?kind=PROVISION",
  "/operator/v1/search": "?query=ada",
};

async function usedKey(send: Send): Promise<string> {
  const key = "looked-up-by-its-key";
  const body = { asset: "BTC" };
  await send("POST", "/api/v1/deposit-addresses", { body, headers: { "idempotency-key": key } });
  return key;
}

async function idsFor(send: Send, sendToDesk: Send): Promise<Readonly<Record<string, string>>> {
  const { servers } = (await send("GET", "/api/v1/servers")).json;
  const { threads } = (await send("GET", "/api/v1/threads")).json;
  const { entries } = (await send("GET", "/api/v1/ledger")).json;
  const { webhooks } = (await send("GET", "/api/v1/webhooks")).json;
  const { depositAddresses } = (await send("GET", "/api/v1/deposit-addresses")).json;
  const { work } = (await sendToDesk("GET", "/operator/v1/work")).json;
  const { accounts } = (await sendToDesk("GET", "/operator/v1/accounts?query=ada")).json;
  const { machines } = (await sendToDesk("GET", "/operator/v1/machines")).json;
  const { operators } = (await sendToDesk("GET", "/operator/v1/operators")).json;
  return {
    "/api/v1/servers/{id}": servers[0].id,
    "/api/v1/threads/{id}": threads[0].id,
    "/api/v1/ledger/entries/{id}": entries[0].id,
    "/api/v1/webhooks/{id}": webhooks[0].id,
    "/api/v1/deposit-addresses/{id}": depositAddresses[0].id,
    "/api/v1/idempotency-keys/{key}": await usedKey(send),
    "/operator/v1/threads/{id}": threads[0].id,
    "/operator/v1/work/{id}": work[0].id,
    "/operator/v1/servers/{id}": servers[0].id,
    "/operator/v1/machines/{id}": machines[0].id,
    "/operator/v1/accounts/{id}": accounts[0].id,
    "/operator/v1/operators/{id}": operators[0].id,
  };
}
