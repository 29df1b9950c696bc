import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { DatabaseUnavailable, type Db, type Tx } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import { ok } from "#server/kernel/result.ts";
import { openEngine, type OpenedEngine } from "#test/engines.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

// Only on PostgreSQL: SQLite has one writer, so transactions never conflict.
describe("postgres", () => {
  let opened: OpenedEngine;
  let db: Db;

  before(async () => {
    opened = await openEngine("postgres");
    db = opened.db;
    await db.write(async (tx) => {
      for (const key of ["a", "b", "c", "d"]) await addCounter(tx, key);
      return ok();
    });
  });
  after(() => opened.dispose());

  test("when two writes deadlock, one is retried from its start and both succeed", async () => {
    const starts: string[] = [];
    const barrier = barrierOf(2);
    const addToBoth = (first: string, second: string): Promise<Result<void>> =>
      db.write(async (tx) => {
        starts.push(first);
        await addCounter(tx, `deadlock ${starts.length}`);
        await increment(tx, first);
        await barrier();
        await increment(tx, second);
        return ok();
      });
    const results = await Promise.all([addToBoth("a", "b"), addToBoth("b", "a")]);

    assert.deepEqual(results, [ok(), ok()]);
    // On a busy machine the two may deadlock more than once.
    assert.ok(starts.length >= 3, "neither write was retried");
    assert.deepEqual([await countOf(db, "a"), await countOf(db, "b")], [2, 2]);
    assert.equal((await keysOf(db, "deadlock")).length, 2, "the failed attempt left a row");
  });

  test("when two serializable writes conflict, one is retried and sees the other's result", async () => {
    const barrier = barrierOf(2);
    const seen: number[] = [];
    const setToSum = (key: string): Promise<Result<void>> =>
      db.write(async (tx) => {
        await sql`set transaction isolation level serializable`.execute(tx);
        const rows = await tx
          .selectFrom("rate_limits")
          .select("count")
          .where("key", "in", ["c", "d"])
          .execute();
        await barrier();
        const total = rows.reduce((sum, row) => sum + row.count, 0);
        seen.push(total);
        await tx
          .updateTable("rate_limits")
          .set({ count: total + 1 })
          .where("key", "=", key)
          .execute();
        return ok();
      });
    const results = await Promise.all([setToSum("c"), setToSum("d")]);
    assert.deepEqual(results, [ok(), ok()]);
    assert.deepEqual(seen.slice(0, 2), [0, 0], "a first attempt saw the other write");
    // One wrote 1. The other was retried until it saw that, as often as PostgreSQL aborted it.
    const counts = [await countOf(db, "c"), await countOf(db, "d")];
    assert.deepEqual(new Set(counts), new Set([1, 2]));
  });

  test("a write that conflicts every time is unavailable after a bounded number of attempts", async () => {
    let attempts = 0;
    const write = db.write(async (tx) => {
      attempts += 1;
      await addCounter(tx, `lost ${attempts}`);
      await sql`do $$ begin raise exception 'lost' using errcode = '40001'; end $$`.execute(tx);
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    assert.ok(attempts > 1 && attempts <= 20);
    assert.deepEqual(await keysOf(db, "lost"), []);
  });

  test("a write whose completion is unknown is unavailable and is not retried", async () => {
    let attempts = 0;
    const write = db.write(async (tx) => {
      attempts += 1;
      await sql`do $$ begin raise exception 'unknown' using errcode = '40003'; end $$`.execute(tx);
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    assert.equal(attempts, 1);
  });

  test("a read that conflicts is retried a bounded number of times", async () => {
    await db.write(async (tx) => {
      await sql`create sequence reads`.execute(tx);
      await sql`create function lose_until(tries integer) returns integer language plpgsql as $$
        begin
          if nextval('reads') < tries then raise exception 'lost' using errcode = '40001'; end if;
          return 1;
        end $$`.execute(tx);
      return ok();
    });
    const { rows } = await sql`select lose_until(3) as won`.execute(db.read);
    assert.deepEqual(rows, [{ won: 1 }]);
    await assert.rejects(sql`select lose_until(1000)`.execute(db.read), DatabaseUnavailable);
  });

  test("no other error is retried", async () => {
    let attempts = 0;
    const write = db.write(async (tx) => {
      attempts += 1;
      await sql`select 1 / 0`.execute(tx);
      return ok();
    });
    await assert.rejects(write, /division by zero/);
    assert.equal(attempts, 1);
  });
});

async function increment(tx: Tx, key: string): Promise<void> {
  await tx
    .updateTable("rate_limits")
    .set({ count: sql`count + 1` })
    .where("key", "=", key)
    .execute();
}

/** A barrier that opens once the given number have arrived. Later arrivals pass at once. */
function barrierOf(size: number): () => Promise<void> {
  const complete = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === size) complete.resolve();
    return complete.promise;
  };
}
