import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import { openPostgres } from "#server/adapters/postgres/open-postgres.ts";
import { DatabaseUnavailable, type Db, type Tx } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { openEngine, type OpenedEngine } from "#test/engines.ts";
import { speedUnderTest } from "#test/speed.ts";
import { proxyTo, type InterruptibleProxy } from "./interruptible-proxy.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

describe("postgres", () => {
  let opened: OpenedEngine;
  let proxy: InterruptibleProxy;
  let db: Db;
  let idleLoss: PromiseWithResolvers<Error>;

  before(async () => {
    opened = await openEngine("postgres");
  });
  after(() => opened.dispose());

  beforeEach(async () => {
    proxy = await proxyTo(opened.location);
    idleLoss = Promise.withResolvers();
    const onIdleError = (error: Error) => idleLoss.resolve(error);
    db = await openPostgres({ url: proxy.url, poolSize: 4, onIdleError, ...speedUnderTest });
  });
  afterEach(async () => {
    await db.close();
    await proxy.cut();
  });

  const add = (key: string) => db.write(async (tx) => ok(await addCounter(tx, key)));

  test("during an outage every call is unavailable, and all succeed after it", async () => {
    await Promise.all([add("before 1"), add("before 2"), db.acceptsWrites()]);
    await proxy.cut();
    for (let round = 0; round < 3; round += 1) {
      await assert.rejects(db.acceptsWrites(), DatabaseUnavailable);
      await assert.rejects(countOf(db, "before 1"), DatabaseUnavailable);
      await assert.rejects(add("away"), DatabaseUnavailable);
      await assert.rejects(db.pending([]), DatabaseUnavailable);
      await assert.rejects(db.migrate([], 0), DatabaseUnavailable);
    }
    await proxy.restore();
    await db.acceptsWrites();
    await Promise.all(Array.from({ length: 10 }, (_, index) => add(`after ${index}`)));
    assert.equal((await keysOf(db, "after")).length, 10);
    assert.deepEqual(await keysOf(db, "away"), []);
  });

  test("opening during an outage is unavailable", async () => {
    await proxy.cut();
    const open = openPostgres({
      url: proxy.url,
      poolSize: 1,
      onIdleError: () => {},
      ...speedUnderTest,
    });
    await assert.rejects(open, DatabaseUnavailable);
    await proxy.restore();
  });

  test("a connection lost between two statements of a write rolls it back", async () => {
    const write = db.write(async (tx) => {
      await addCounter(tx, "half");
      // No statement is running when the driver notices the loss, so it has none to reject.
      const pid = await pidOf(tx);
      await proxy.cut();
      await untilGone(pid);
      await addCounter(tx, "other half");
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    await proxy.restore();
    assert.deepEqual(await keysOf(db, "half"), []);
    assert.deepEqual(await keysOf(db, "other half"), []);
  });

  test("a write whose connection is lost before the commit is unavailable and stores nothing", async () => {
    const write = db.write(async (tx) => {
      await addCounter(tx, "uncommitted");
      await proxy.cut();
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    await proxy.restore();
    assert.deepEqual(await keysOf(db, "uncommitted"), []);
  });

  test("a connection that the server terminates is replaced, idle or during a write", async () => {
    await end(db.read);
    assert.match((await idleLoss.promise).message, /terminating connection/);
    await add("replaced");
    const write = db.write(async (tx) => {
      await addCounter(tx, "ended");
      await end(tx);
      await addCounter(tx, "ended too");
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    await add("replaced again");
    assert.deepEqual(await keysOf(db, "ended"), []);
  });

  test("a write to a server that has become a read-only standby is unavailable", async () => {
    const write = db.write(async (tx) => {
      await sql`set transaction read only`.execute(tx);
      await addCounter(tx, "on a standby");
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
  });

  async function end(connection: Tx): Promise<void> {
    const pid = await pidOf(connection);
    await sql`select pg_terminate_backend(${pid}::integer)`.execute(opened.db.read);
    await untilGone(pid);
  }

  async function untilGone(pid: number): Promise<void> {
    for (let check = 0; check < 1000; check += 1) {
      const query = sql`select 1 from pg_stat_activity where pid = ${pid}`;
      if ((await query.execute(opened.db.read)).rows.length === 0) return;
    }
    assert.fail("the connection still exists");
  }
});

async function pidOf(target: Tx): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(target);
  return rows[0]?.pid ?? 0;
}
