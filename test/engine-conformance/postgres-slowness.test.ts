import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import { openPostgres } from "#server/adapters/postgres/open-postgres.ts";
import { migrations } from "#server/migrations/index.ts";
import { DatabaseUnavailable, type Db } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { openEngine, type OpenedEngine } from "#test/engines.ts";
import { speedUnderTest } from "#test/speed.ts";
import { proxyTo, type InterruptibleProxy } from "./interruptible-proxy.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

/** Long enough for a busy machine: what the server answers must arrive within it. */
const answerMs = 1_500;

describe("postgres", () => {
  let opened: OpenedEngine;
  let proxy: InterruptibleProxy;
  let impatient: Db;

  before(async () => {
    opened = await openEngine("postgres");
  });
  after(() => opened.dispose());

  beforeEach(async () => {
    proxy = await proxyTo(opened.location);
    const url = proxy.url;
    impatient = await openPostgres({
      url,
      poolSize: 2,
      answerMs,
      onIdleError: () => {},
      ...speedUnderTest,
    });
  });
  afterEach(async () => {
    await impatient.close();
    await proxy.cut();
  });

  test("a server that stops responding is unavailable after the time limit", async () => {
    await impatient.acceptsWrites();
    proxy.silence();
    await assert.rejects(impatient.acceptsWrites(), DatabaseUnavailable);
    const write = impatient.write(async (tx) => {
      await addCounter(tx, "in silence");
      proxy.silence();
      await addCounter(tx, "in more silence");
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    await impatient.write(async (tx) => ok(await addCounter(tx, "heard")));
    assert.deepEqual(await keysOf(opened.db, ""), ["heard"]);
  });

  test("a statement that exceeds the time limit is unavailable and rolls back its write", async () => {
    await assert.rejects(sql`select pg_sleep(60)`.execute(impatient.read), DatabaseUnavailable);
    const write = impatient.write(async (tx) => {
      await addCounter(tx, "slow");
      await sql`select pg_sleep(60)`.execute(tx);
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    assert.equal(await countOf(opened.db, "slow"), undefined);
  });

  test("a commit that exceeds the time limit is unavailable, and reads still succeed", async () => {
    proxy.holdCommits();
    const write = impatient.write(async (tx) => ok(await addCounter(tx, "outcome unknown")));
    await assert.rejects(write, DatabaseUnavailable);
    assert.equal(await countOf(impatient, "nothing"), undefined);
    proxy.releaseCommits();
    await impatient.write(async (tx) => ok(await addCounter(tx, "after it")));
    assert.equal(await countOf(opened.db, "after it"), 0);
  });

  test("while the server hangs every call is unavailable, and all succeed when it continues", async () => {
    await impatient.write(async (tx) => ok(await addCounter(tx, "before the stop")));
    proxy.freeze();
    const url = proxy.url;
    await Promise.all([
      assert.rejects(impatient.acceptsWrites(), DatabaseUnavailable),
      assert.rejects(impatient.pending(migrations), DatabaseUnavailable),
      assert.rejects(impatient.migrate(migrations, 0), DatabaseUnavailable),
      assert.rejects(add("stopped"), DatabaseUnavailable),
      assert.rejects(
        openPostgres({ url, poolSize: 1, answerMs, onIdleError: () => {}, ...speedUnderTest }),
        DatabaseUnavailable,
      ),
    ]);
    proxy.thaw();
    await impatient.acceptsWrites();
    await add("going on");
    assert.deepEqual(await keysOf(impatient, "stopped"), []);
  });

  test("close does not wait for a server that hangs", async () => {
    const db = await openPostgres({
      url: proxy.url,
      poolSize: 2,
      answerMs,
      onIdleError: () => {},
    });
    await db.acceptsWrites();
    await db.write(async (tx) => ok(await addCounter(tx, "before closing")));
    proxy.freeze();
    const read = assert.rejects(db.acceptsWrites(), DatabaseUnavailable);
    await db.close();
    await read;
  });

  test("a migration is unavailable if the server hangs during a step", async () => {
    const stopped = {
      name: "9998-stopped",
      statements: () => ["create table stopped (id integer)", "select pg_sleep(60)"],
    };
    const migration = impatient.migrate([...migrations, stopped], 0);
    const refused = assert.rejects(migration, DatabaseUnavailable);
    await untilSleeping();
    proxy.freeze();
    await refused;
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`.execute(opened.db.read);
  });

  const add = (key: string) => impatient.write(async (tx) => ok(await addCounter(tx, key)));

  async function untilSleeping(): Promise<void> {
    for (let check = 0; check < 2_000; check += 1) {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`.execute(opened.db.read);
      if (rows.length > 0) return;
    }
    assert.fail("the step does not run");
  }

  test("a migration step may exceed the time limit of a request's statement", async () => {
    const slow = { name: "9999-slow", statements: () => ["select pg_sleep(0.8)"] };
    assert.deepEqual(await impatient.migrate([...migrations, slow], 0), ["9999-slow"]);
  });
});
