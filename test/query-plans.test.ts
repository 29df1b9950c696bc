import assert from "node:assert/strict";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { after, before, describe, mock, test } from "node:test";
import { operations, type Operation } from "@ironlease/contract";
import { sweep } from "../packages/server/src/features/housekeeping/sweep.ts";
import { renewDueServers } from "../packages/server/src/features/renewals/renew-due-servers.ts";
import { startConsoleService, type ConsoleService } from "./support/console-service.ts";
import type { Send } from "./support/https-client.ts";
import { livedInAccount } from "./support/lived-in-account.ts";

/** A piece of each statement that takes longer the more there is, and why it may. */
const allowed: Readonly<Record<string, string>> = {
  'from "stock"': "a row for each offer",
  'from "subnets" where "region_id" = ?': "at most a thousand a region",
  'from "released_places" inner join "subnets"': "what was given back in one region",
  'delete from "deposit_addresses"': "what one account has asked for in vain",
  'from "servers" where "account_id" = ? and "order_id" in': "the servers of one page of orders",
  'from "servers" where "account_id" in (?': "what is due of ten accounts",
  'where "servers"."id" = ? and "servers"."account_id" = ?': "the addresses of one server",
  "from (select * from audit where actor = ?": "a hundred of each kind",
  "accounts.username like ?": "a search for a part of a name",
  'select "state", count(*) as "count" from "servers"': "the overview, along an index",
  "sum(case when state = 'FREE'": "the overview, along an index",
  'select sum("available_cents")': "the overview: what all customers have",
  'from "journal" where "id" >= ?': "the overview: one day",
};

/** What SQLite means to do for each statement that was prepared, a line for each step. */
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

/**
 * Whether a table is looked through, unless for a page of it in the order of an index, or all that is found
 * is sorted before the first of it is given.
 */
function isWholesale(sql: string, steps: readonly string[]): boolean {
  const sorts = steps.some((step) => /^USE TEMP B-TREE FOR (ORDER|GROUP) BY$/.test(step));
  const isPage = /\blimit \d+ *$/.test(sql) && !sorts;
  const scans = steps.some((step) => {
    const [, name = "", how] = /^SCAN (\w+)(?: USING (?:COVERING )?(INDEX))?/.exec(step) ?? [];
    return isTable(sql, name) && !(isPage && how === "INDEX");
  });
  return sorts || scans;
}

/** And not the name that a statement has given to a part of itself. */
function isTable(sql: string, name: string): boolean {
  return name !== "" && name !== "CONSTANT" && !sql.includes(`) as ${name}`);
}

describe("what SQLite is asked for", () => {
  let service: ConsoleService;
  before(async () => {
    mock.method(DatabaseSync.prototype, "prepare", prepareAndExplain);
    service = await startConsoleService();
    plans.clear();
    await livedInAccount(service, "ada");
  });
  after(async () => {
    await service.close();
    mock.restoreAll();
  });

  test("nothing takes longer the more there is, but for what is known to", async () => {
    const customer = await service.signIn("ada");
    const desk = await service.operator("admin");
    const ids = await idsFor(customer.send, desk.send);
    for (const { method, path, listener } of Object.values<Operation>(operations)) {
      if (method !== "GET") continue;
      const send = listener === "operator" ? desk.send : customer.send;
      const target = path.replace("{id}", ids[path] ?? "") + (queries[path] ?? "");
      const answer = await send("GET", target);
      assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    }
    service.clock.advance(60 * 86_400_000);
    await renewDueServers(service.core);
    await sweep(service.core);

    const wholesale = [...plans].filter(([sql, steps]) => isWholesale(sql, steps));
    const pieces = Object.keys(allowed);
    assert.deepEqual(
      wholesale.filter(([sql]) => !pieces.some((piece) => sql.includes(piece))),
      [],
    );
    assert.deepEqual(
      pieces.filter((piece) => !wholesale.some(([sql]) => sql.includes(piece))),
      [],
      "what need not be allowed any more",
    );
    assert.ok([...plans.keys()].some((sql) => sql.includes("(paid_through, id) > (?, ?)")));
  });
});

const queries: Readonly<Record<string, string>> = {
  "/api/v1/quote": "?configId=metal-s&regionId=fra&osId=debian-13&term=monthly&quantity=1",
  "/operator/v1/accounts": "?query=ada",
};

async function idsFor(send: Send, sendToDesk: Send): Promise<Readonly<Record<string, string>>> {
  const { servers } = (await send("GET", "/api/v1/servers")).json;
  const { work } = (await sendToDesk("GET", "/operator/v1/work")).json;
  const { accounts } = (await sendToDesk("GET", "/operator/v1/accounts?query=ada")).json;
  return {
    "/api/v1/servers/{id}": servers[0].id,
    "/operator/v1/work/{id}": work[0].id,
    "/operator/v1/accounts/{id}": accounts[0].id,
  };
}
