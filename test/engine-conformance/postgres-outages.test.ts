import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import { openPostgres } from "../../packages/server/src/adapters/postgres/open-postgres.ts";
import { DatabaseUnavailable, type Db } from "../../packages/server/src/ports/db.ts";
import { ok } from "../../packages/server/src/ports/result.ts";
import { openEngine, type OpenedEngine } from "../support/engines.ts";
import { proxyTo, type InterruptibleProxy } from "./interruptible-proxy.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

describe("postgres", () => {
  let opened: OpenedEngine;
  let proxy: InterruptibleProxy;
  let db: Db;

  before(async () => {
    opened = await openEngine("postgres");
  });
  after(() => opened.dispose());

  beforeEach(async () => {
    proxy = await proxyTo(opened.location);
    db = await openPostgres({ url: proxy.url, poolSize: 4, answerMs: 500, onIdleError: () => {} });
  });
  afterEach(async () => {
    await db.close();
    await proxy.cut();
  });

  const add = (key: string) => db.write(async (tx) => ok(await addCounter(tx, key)));

  test("while the server is away every call says so, and all work when it is back", async () => {
    await Promise.all([add("before 1"), add("before 2"), db.ping()]);
    await proxy.cut();
    for (let round = 0; round < 3; round += 1) {
      await assert.rejects(db.ping(), DatabaseUnavailable);
      await assert.rejects(countOf(db, "before 1"), DatabaseUnavailable);
      await assert.rejects(add("away"), DatabaseUnavailable);
      await assert.rejects(db.pending([]), DatabaseUnavailable);
      await assert.rejects(db.migrate([], 0), DatabaseUnavailable);
    }
    await proxy.restore();
    await db.ping();
    await Promise.all(Array.from({ length: 10 }, (_, index) => add(`after ${index}`)));
    assert.equal((await keysOf(db, "after")).length, 10);
    assert.deepEqual(await keysOf(db, "away"), []);
  });

  test("opening while the server is away is refused as unavailable", async () => {
    await proxy.cut();
    const open = openPostgres({ url: proxy.url, poolSize: 1, onIdleError: () => {} });
    await assert.rejects(open, DatabaseUnavailable);
    await proxy.restore();
  });

  test("a connection that breaks between two statements of a write undoes it and harms nothing", async () => {
    const write = db.write(async (tx) => {
      await addCounter(tx, "half");
      await proxy.cut();
      // Nothing is being asked while the loss is noticed: the driver has nobody to tell but us.
      await new Promise((resolve) => setImmediate(resolve));
      await addCounter(tx, "other half");
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    await proxy.restore();
    assert.deepEqual(await keysOf(db, "half"), []);
    assert.deepEqual(await keysOf(db, "other half"), []);
  });

  test("a connection that breaks before the commit is never reported as committed", async () => {
    const write = db.write(async (tx) => {
      await addCounter(tx, "uncommitted");
      await proxy.cut();
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    await proxy.restore();
    assert.deepEqual(await keysOf(db, "uncommitted"), []);
  });

  test("a connection that the server ends is replaced, idle or in the middle of a write", async () => {
    const end = async (keep: boolean) =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()
             and (state <> 'idle') = ${sql.lit(keep)}`.execute(opened.db.read);
    await add("idle");
    await end(false);
    const write = db.write(async (tx) => {
      await addCounter(tx, "ended");
      await end(true);
      await addCounter(tx, "ended too");
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    await add("replaced");
    assert.deepEqual(await keysOf(db, "ended"), []);
  });

  test("a server that falls silent is unavailable within the time it has to answer", async () => {
    await db.ping();
    proxy.silence();
    await assert.rejects(db.ping(), DatabaseUnavailable);
    const write = db.write(async (tx) => {
      await addCounter(tx, "in silence");
      proxy.silence();
      await addCounter(tx, "in more silence");
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    await add("heard");
    assert.deepEqual(await keysOf(db, "in "), []);
  });

  test("a statement that takes longer than it may is unavailable, and its connection is kept", async () => {
    await assert.rejects(sql`select pg_sleep(60)`.execute(db.read), DatabaseUnavailable);
    const write = db.write(async (tx) => {
      await addCounter(tx, "slow");
      await sql`select pg_sleep(60)`.execute(tx);
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    assert.deepEqual(await keysOf(db, "slow"), []);
  });

  test("a step of a migration may take longer than a statement of a request", async () => {
    const slow = { name: "9999-slow", statements: () => ["select pg_sleep(1)"] };
    const known = { name: "0001-access", statements: () => [] };
    void known;
    const { migrations } = await import("../../packages/server/src/migrations/index.ts");
    assert.deepEqual(await db.migrate([...migrations, slow], 0), ["9999-slow"]);
  });
});
