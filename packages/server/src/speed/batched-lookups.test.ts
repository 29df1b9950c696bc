import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { sql, type CompiledQuery, type QueryResult } from "kysely";
import { openEngine, type OpenedEngine } from "#test/engines.ts";
import { queriesOver } from "#test/queries-over.ts";
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
  let asked: CompiledQuery[] = [];
  let isHeld = Promise.resolve();
  /** Both query PostgreSQL itself, once `isHeld` resolves. */
  let first: () => Promise<{ key: string } | undefined>;
  let look: (key: string) => Promise<{ key: string; count: number } | undefined>;

  before(async () => {
    opened = await openEngine("postgres");
    const { read } = opened.db;
    await opened.db.write(async (tx) => {
      const rows = keys.map((key, count) => ({ key, count, window_ends_at: 0 }));
      const stored = rows.filter(({ count }) => count % 5 > 0);
      await tx.insertInto("rate_limits").values(stored).execute();
      return ok();
    });
    const lookUps = batchedLookups({
      executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        asked.push(query);
        await isHeld;
        return read.executeQuery<Row>(query);
      },
      streamQuery: () => assert.fail("nothing streams"),
    });
    const db = queriesOver(read, (query) => lookUps.executeQuery(query));
    look = (key) => find(db, { key });
    first = () => findFirst(db, {});
  });
  after(() => opened.dispose());
  beforeEach(() => {
    asked = [];
    isHeld = Promise.resolve();
  });

  test("share a statement, up to a hundred in each, and each gets its own row", async () => {
    const found = await Promise.all([...keys, ...keys].map(look));
    const expected = keys.map((key, count) => (count % 5 > 0 ? { key, count } : undefined));
    assert.deepEqual(found, [...expected, ...expected]);
    assert.equal(asked.length, 5);
    assert.equal(new Set(asked.map(({ sql }) => sql)).size, 1);
  });

  test("a single lookup is sent unchanged, also if two requests make it", async () => {
    assert.deepEqual(await look("key-1"), { key: "key-1", count: 1 });
    await Promise.all([look("key-1"), look("key-1")]);
    assert.deepEqual(
      asked.map(({ parameters }) => parameters),
      [["key-1"], ["key-1"]],
    );
    assert.ok(asked.every(({ sql }) => sql.endsWith('where "key" = $1')));
  });

  test("a lookup without a value is sent once for all requests", async () => {
    const found = await Promise.all([first(), first(), first()]);
    assert.deepEqual(
      found,
      Array.from({ length: 3 }, () => ({ key: "key-1" })),
    );
    assert.equal(asked.length, 1);
  });

  test("a lookup that starts while another is in flight is sent separately and sees commits in between", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    isHeld = promise;
    const early = look("key-2");
    await nextTurn();
    isHeld = Promise.resolve();
    await opened.db.write(async (tx) => {
      await tx.updateTable("rate_limits").set({ count: 200 }).where("key", "=", "key-2").execute();
      return ok();
    });
    const late = look("key-2");
    await nextTurn();
    const timesAsked = asked.length;
    resolve();
    const committed = { key: "key-2", count: 200 };
    assert.deepEqual(await Promise.all([early, late]), [committed, committed]);
    assert.equal(timesAsked, 2);
  });

  test("a value that the database refuses fails alone", async () => {
    const strange = ["key-3\0", "\ud800", '"', "key-3,key-4", "[]", ""];
    const looked = await Promise.allSettled([...strange, "key-3", "key-4"].map(look));
    assert.equal(looked[0]?.status, "rejected");
    const values = looked.slice(1).map((one) => one.status === "fulfilled" && one.value?.count);
    assert.deepEqual(values, [...strange.slice(1).map(() => undefined), 3, 4]);
  });

  test("when a batch fails, all of its lookups fail, and the next batch does not", async () => {
    isHeld = Promise.reject(new Error("gone"));
    isHeld.catch(() => {});
    const looked = await Promise.allSettled(["key-6", "key-7"].map(look));
    assert.deepEqual(
      looked.map(({ status }) => status),
      ["rejected", "rejected"],
    );
    isHeld = Promise.resolve();
    assert.equal((await look("key-6"))?.count, 6);
  });

  test("each row is found by its index, however large the batch", async () => {
    await Promise.all(keys.slice(0, 100).map(look));
    const [query] = asked;
    assert.ok(query !== undefined);
    const { rows } = await opened.db.read.executeQuery<{ "QUERY PLAN": string }>({
      ...query,
      sql: `explain ${query.sql}`,
    });
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    assert.match(plan, /Index Scan using rate_limits_pkey/);
    assert.doesNotMatch(plan, /Hash|Seq Scan/);
  });

  test("a small batch is not planned on every run", async () => {
    for (let round = 0; round < 20; round += 1) await Promise.all(["key-8", "key-9"].map(look));
    const { rows } = await sql<{ custom: number; generic: number }>`
      select custom_plans as custom, generic_plans as generic from pg_prepared_statements
      where statement = ${asked[0]?.sql}`.execute(opened.db.read);
    // PostgreSQL makes five custom plans before it considers a generic one.
    assert.equal(rows[0]?.custom, 5);
    assert.ok((rows[0]?.generic ?? 0) >= 15);
  });
});
