import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import { SqliteConnection } from "#server/adapters/sqlite/connection.ts";
import { kyselyOver } from "#server/adapters/sqlite/dialect.ts";
import type { Tx } from "#server/ports/db.ts";
import { prepared } from "#server/kernel/sql/prepared.ts";
import { ok } from "#server/kernel/result.ts";
import { forEachEngine, openEngine, type OpenedEngine } from "#test/engines.ts";
import { interceptQueries } from "#test/intercept-queries.ts";
import { addCounter } from "./rows.ts";

// Shared by both engines on purpose: the SQL compiled for one must not be used for the other.
const findBetween = prepared<{ low: number; high: number; key: string; limit: number }, Found>(
  ["low", "high", "key", "limit"],
  (db, { low, high, key, limit }) =>
    db
      .selectFrom("rate_limits")
      .select(["key", "count"])
      .where((eb) => eb.or([eb.between("count", low, high), eb("key", "=", key)]))
      .where(sql<boolean>`count <> ${low}`)
      .orderBy("key")
      .limit(limit),
);
type Found = { key: string; count: number };

const setCount = prepared<{ key: string; count: number; add: number }, { count: number }>(
  ["key", "count", "add"],
  (db, { key, count, add }) =>
    db
      .insertInto("rate_limits")
      .values({ key, count, window_ends_at: count })
      .onConflict((conflict) =>
        conflict.column("key").doUpdateSet({ count: sql`rate_limits.count + ${add}` }),
      )
      .returning("count"),
);

forEachEngine((engine) => {
  let opened: OpenedEngine;

  before(async () => {
    opened = await openEngine(engine);
    await opened.db.write(async (tx) => {
      for (let count = 0; count < 20; count += 1) await addCounter(tx, `key ${count}`, count);
      return ok();
    });
  });
  after(() => opened.dispose());

  test("a prepared query returns the same rows as a plain one for any values", async () => {
    const { db } = opened;
    const values = fc.record({
      low: fc.integer({ min: 0, max: 25 }),
      high: fc.integer({ min: 0, max: 25 }),
      key: fc.oneof(fc.string({ unit: "grapheme-ascii" }), fc.constantFrom("key 3", "key 19")),
      limit: fc.integer({ min: 0, max: 25 }),
    });
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const { low, high, key, limit } = given;
        const plain = await db.read
          .selectFrom("rate_limits")
          .select(["key", "count"])
          .where((eb) => eb.or([eb.between("count", low, high), eb("key", "=", key)]))
          .where("count", "!=", low)
          .orderBy("key")
          .limit(limit)
          .execute();
        assert.deepEqual(await findBetween(db.read, given), plain);
        const inWrite = await db.write(async (tx) => ok(await findBetween(tx, given)));
        assert.deepEqual(inWrite, { ok: true, value: plain });
      }),
      { numRuns: 50 },
    );
  });

  test("100 concurrent runs of a prepared query do not mix up their values", async () => {
    const { db } = opened;
    const indexes = Array.from({ length: 100 }, (_, index) => index);
    const set = (index: number) =>
      db.write(async (tx) => {
        const [row] = await setCount(tx, { key: `set ${index}`, count: index, add: 1000 });
        return ok(row?.count);
      });
    for (const added of [0, 1000]) {
      const results = await Promise.all(indexes.map(set));
      const expected = indexes.map((index) => ({ ok: true, value: index + added }));
      assert.deepEqual(results, expected);
    }
  });

  test("constants are inlined into a prepared statement, with any characters", async () => {
    const { db } = opened;
    const odd = 'it\'s \\ "odd" ? $1';
    await db.write(async (tx) => ok(await addCounter(tx, odd, 7)));
    const findOdd = prepared<{ least: number }, Found>(["least"], (read, { least }) =>
      read
        .selectFrom("rate_limits")
        .select(["key", "count"])
        .where("key", "=", odd)
        .where("count", ">=", least)
        .limit(5),
    );
    const [found] = await findOdd(db.read, { least: 7 });
    assert.deepEqual([found?.key, found?.count], [odd, 7]);
    assert.deepEqual(await findOdd(db.read, { least: 8 }), []);
    const bound: unknown[] = [];
    const seen = interceptQueries(db.read, async ({ parameters }) => {
      bound.push(...parameters);
      return { rows: [] };
    });
    await findOdd(seen, { least: 9 });
    assert.deepEqual(bound, [9]);
  });

  test("a prepared query that uses an undeclared parameter throws instead of binding null", async () => {
    const forgetful = prepared<{ key: string; count: number }, Found>(
      ["key"],
      (db, { key, count }) =>
        db
          .selectFrom("rate_limits")
          .select(["key", "count"])
          .where("key", "=", key)
          .where("count", "!=", count),
    );
    await assert.rejects(forgetful(opened.db.read, { key: "key 1", count: 0 }), TypeError);
  });
});

describe("sqlite", () => {
  test("LIMIT is inlined, because SQLite would plan the statement again for each bound value", () => {
    const connection = new SqliteConnection(new DatabaseSync(":memory:"));
    const query = kyselyOver(connection).selectFrom("accounts").select("id").limit(5).compile();
    assert.deepEqual([query.parameters, query.sql.endsWith(" limit 5")], [[], true]);
    connection.database.close();
  });

  test("a query that runs many times is prepared once, and different texts stay bounded", async () => {
    const connection = new SqliteConnection(new DatabaseSync(":memory:"));
    const db = kyselyOver(connection);
    for (let n = 0; n < 100; n += 1) await sql`select ${n} as n`.execute(db);
    assert.equal(connection.preparedStatements, 1);
    for (let n = 0; n < 2000; n += 1) await sql`select ${sql.lit(n)} as n`.execute(db);
    assert.ok(connection.preparedStatements <= 500);
    const again = await sql<{ n: number }>`select ${7} as n`.execute(db);
    assert.equal(again.rows[0]?.n, 7);
    connection.database.close();
  });
});

describe("postgres", () => {
  let opened: OpenedEngine;
  before(async () => {
    opened = await openEngine("postgres");
  });
  after(() => opened.dispose());

  test("a query that runs many times is prepared once, and different texts stay bounded", async () => {
    const bounded = await opened.db.write(async (tx) => {
      for (let n = 0; n < 100; n += 1) await sql`select ${n}::integer as many`.execute(tx);
      const runs = await sql<{ runs: number }>`
        select generic_plans + custom_plans as runs from pg_prepared_statements
         where statement = 'select $1::integer as many'`.execute(tx);
      assert.deepEqual(runs.rows, [{ runs: 100 }]);

      for (let n = 0; n < 1000; n += 1) await sql`select ${sql.lit(n)} as n`.execute(tx);
      return ok(await countPrepared(tx));
    });
    assert.ok(bounded.ok && bounded.value > 100 && bounded.value <= 500);
  });
});

async function countPrepared(tx: Tx): Promise<number> {
  const query = sql<{ n: number }>`select count(*) as n from pg_prepared_statements`;
  return (await query.execute(tx)).rows[0]?.n ?? 0;
}
