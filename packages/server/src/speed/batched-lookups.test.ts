import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { sql, type CompiledQuery, type QueryResult } from "kysely";
import { openEngine, type OpenedEngine } from "#test/engines.ts";
import { interceptQueries } from "#test/intercept-queries.ts";
import { preparedLookup } from "#kernel/sql/prepared.ts";
import { ok } from "#kernel/result.ts";
import { batchedLookups } from "./batched-lookups.ts";

const find = preparedLookup(["key"], (db, { key }: { key: string }) =>
  db.selectFrom("rate_limits").select(["key", "count"]).where("key", "=", key),
);

const findFirst = preparedLookup([], (db) =>
  db.selectFrom("rate_limits").select("key").where("key", "=", "key-1"),
);

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const keyOf = (index: number) => `key-${index}`;
const keys = Array.from({ length: 250 }, (_, index) => keyOf(index));

describe("concurrent lookups", () => {
  let opened: OpenedEngine;
  let sent: CompiledQuery[] = [];
  let gate = Promise.resolve();
  /** Both query PostgreSQL once `gate` resolves. */
  let first: () => Promise<{ key: string } | undefined>;
  let lookUp: (key: string) => Promise<{ key: string; count: number } | undefined>;

  before(async () => {
    opened = await openEngine("postgres");
    const { read } = opened.db;
    await opened.db.write(async (tx) => {
      const rows = keys.map((key, count) => ({ key, count, window_ends_at: 0 }));
      const stored = rows.filter(({ count }) => count % 5 > 0);
      await tx.insertInto("rate_limits").values(stored).execute();
      return ok();
    });
    const lookups = batchedLookups({
      executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        sent.push(query);
        await gate;
        return read.executeQuery<Row>(query);
      },
      streamQuery: () => assert.fail("nothing streams"),
    });
    const db = interceptQueries(read, (query) => lookups.executeQuery(query));
    lookUp = (key) => find(db, { key });
    first = () => findFirst(db, {});
  });
  after(() => opened.dispose());
  beforeEach(() => {
    sent = [];
    gate = Promise.resolve();
  });

  test("share a statement, up to 100 in each, and each gets its own row", async () => {
    const found = await Promise.all([...keys, ...keys].map(lookUp));
    const expected = keys.map((key, count) => (count % 5 > 0 ? { key, count } : undefined));
    assert.deepEqual(found, [...expected, ...expected]);
    assert.equal(sent.length, 5);
    assert.equal(new Set(sent.map(({ sql }) => sql)).size, 1);
  });

  test("a single lookup is sent unchanged, even if two requests make the same one", async () => {
    assert.deepEqual(await lookUp("key-1"), { key: "key-1", count: 1 });
    await Promise.all([lookUp("key-1"), lookUp("key-1")]);
    assert.deepEqual(
      sent.map(({ parameters }) => parameters),
      [["key-1"], ["key-1"]],
    );
    assert.ok(sent.every(({ sql }) => sql.endsWith('where "key" = $1')));
  });

  test("a lookup without a parameter is sent once for all requests", async () => {
    const found = await Promise.all([first(), first(), first()]);
    assert.deepEqual(
      found,
      Array.from({ length: 3 }, () => ({ key: "key-1" })),
    );
    assert.equal(sent.length, 1);
  });

  test("a lookup that starts while another is in flight is sent separately and sees commits in between", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const early = lookUp("key-2");
    await nextTurn();
    gate = Promise.resolve();
    await opened.db.write(async (tx) => {
      await tx.updateTable("rate_limits").set({ count: 200 }).where("key", "=", "key-2").execute();
      return ok();
    });
    const late = lookUp("key-2");
    await nextTurn();
    const statements = sent.length;
    resolve();
    const committed = { key: "key-2", count: 200 };
    assert.deepEqual(await Promise.all([early, late]), [committed, committed]);
    assert.equal(statements, 2);
  });

  test("a value that the database rejects does not fail the other lookups", async () => {
    const unusual = ["key-3\0", "\ud800", '"', "key-3,key-4", "[]", ""];
    const settled = await Promise.allSettled([...unusual, "key-3", "key-4"].map(lookUp));
    assert.equal(settled[0]?.status, "rejected");
    const values = settled.slice(1).map((one) => one.status === "fulfilled" && one.value?.count);
    assert.deepEqual(values, [...unusual.slice(1).map(() => undefined), 3, 4]);
  });

  test("when a batch fails, all of its lookups fail, and the next batch does not", async () => {
    gate = Promise.reject(new Error("gone"));
    gate.catch(() => {});
    const settled = await Promise.allSettled(["key-6", "key-7"].map(lookUp));
    assert.deepEqual(
      settled.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    gate = Promise.resolve();
    assert.equal((await lookUp("key-6"))?.count, 6);
  });

  test("a large batch finds each row through the index", async () => {
    await Promise.all(keys.slice(0, 100).map(lookUp));
    const [query] = sent;
    assert.ok(query !== undefined);
    const { rows } = await opened.db.read.executeQuery<{ "QUERY PLAN": string }>({
      ...query,
      sql: `explain ${query.sql}`,
    });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    assert.match(plan, /Index Scan using rate_limits_pkey/);
    assert.doesNotMatch(plan, /Hash|Seq Scan/);
  });

  test("PostgreSQL reuses a generic plan for small batches", async () => {
    for (let round = 0; round < 20; round += 1) await Promise.all(["key-8", "key-9"].map(lookUp));
    const { rows } = await sql<{ custom: number; generic: number }>`
      select custom_plans as custom, generic_plans as generic from pg_prepared_statements
      where statement = ${sent[0]?.sql}`.execute(opened.db.read);
    // PostgreSQL makes five custom plans before it considers a generic one.
    assert.equal(rows[0]?.custom, 5);
    assert.ok((rows[0]?.generic ?? 0) >= 15);
  });
});
