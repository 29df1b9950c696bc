import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { openPostgres } from "#server/adapters/postgres/open-postgres.ts";
import { migrations } from "#server/migrations/index.ts";
import type { Db, Tx } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { openEngine, type OpenedEngine } from "#test/engines.ts";
import { speedUnderTest } from "#test/speed.ts";
import { untilBlocked } from "#test/lock-waits.ts";
import { proxyTo, type InterruptibleProxy } from "./interruptible-proxy.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

// Only on PostgreSQL: SQLite has one writer, so every write waits for the batch before it.
describe("postgres", () => {
  let opened: OpenedEngine;
  let proxy: InterruptibleProxy;
  let db: Db;

  before(async () => {
    opened = await openEngine("postgres");
    await opened.db.write(async (tx) => ok(await addCounter(tx, "held")));
  });
  after(() => opened.dispose());

  beforeEach(async () => {
    proxy = await proxyTo(opened.location);
    db = await openPostgres({
      url: proxy.url,
      poolSize: 4,
      onIdleError: () => {},
      ...speedUnderTest,
    });
  });
  afterEach(async () => {
    await db.close();
    await proxy.cut();
  });

  test("while one account's writes wait for a lock, reads and other accounts' writes succeed", async () => {
    const unlock = await lockCounter();
    let answered = 0;
    const held = Array.from({ length: 60 }, async () => {
      const result = await db.write(async (tx) => ok(await increment(tx)), undefined, "greedy");
      answered += 1;
      return result;
    });
    try {
      await untilBlocked(opened.db);
      for (const owner of ["modest 1", "modest 2", undefined]) {
        const add = (tx: Tx) => addCounter(tx, `written by ${owner}`);
        assert.deepEqual(await db.write(async (tx) => ok(await add(tx)), undefined, owner), ok());
      }
      assert.equal(await countOf(db, "held"), 0);
      await db.acceptsWrites();
      assert.deepEqual(await db.pending(migrations), []);
      assert.equal(answered, 0, "the account's writes must still wait after these answers");
    } finally {
      await unlock();
    }
    assert.deepEqual(
      new Set((await Promise.all(held)).map(({ ok: isOk }) => isOk)),
      new Set([true]),
    );
    assert.equal(await countOf(db, "held"), 60);
  });

  test("while commits hang, reads and probes succeed", async () => {
    proxy.holdCommits();
    let answered = 0;
    const writes = Array.from({ length: 20 }, async (_, index) => {
      await db.write(
        async (tx) => ok(await addCounter(tx, `held ${index}`)),
        undefined,
        `${index}`,
      );
      answered += 1;
    });
    try {
      for (let round = 0; round < 20; round += 1) {
        await Promise.all([db.acceptsWrites(), countOf(db, "held"), db.pending(migrations)]);
      }
      assert.equal(answered, 0);
    } finally {
      proxy.releaseCommits();
    }
    await Promise.all(writes);
    assert.equal((await keysOf(db, "held ")).length, 20);
  });

  test("reads beyond the pool size all succeed while other reads keep arriving", async () => {
    const over = new AbortController();
    const keepReading = async () => {
      while (!over.signal.aborted) await countOf(db, "held");
    };
    const readers = Array.from({ length: 200 }, keepReading);
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 20 }, () => db.acceptsWrites()));
    }
    over.abort();
    await Promise.all(readers);
  });

  async function lockCounter(): Promise<() => Promise<unknown>> {
    const locked = Promise.withResolvers<void>();
    const unlocked = Promise.withResolvers<void>();
    const write = opened.db.write(async (tx) => {
      await tx.updateTable("rate_limits").set({ count: 0 }).where("key", "=", "held").execute();
      locked.resolve();
      await unlocked.promise;
      return ok();
    });
    await locked.promise;
    return () => {
      unlocked.resolve();
      return write;
    };
  }
});

async function increment(tx: Tx): Promise<void> {
  await tx
    .updateTable("rate_limits")
    .set(({ eb }) => ({ count: eb("count", "+", 1) }))
    .where("key", "=", "held")
    .execute();
}
