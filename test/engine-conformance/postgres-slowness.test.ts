import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import { openPostgres } from "#server/adapters/postgres/open-postgres.ts";
import { migrations } from "#server/migrations/index.ts";
import { DatabaseUnavailable, type Db, type Tx } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { openEngine, type OpenedEngine } from "#test/engines.ts";
import { speedUnderTest } from "#test/speed.ts";
import { proxyTo, type InterruptibleProxy } from "./interruptible-proxy.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

/** Stops this process, like a machine that is suspended, until the server has ended the connection. */
function stopUntilGone(location: string, pid: number): void {
  const wait = `do $$ begin
    for check_number in 1 .. 100 loop
      exit when not exists (select from pg_stat_activity where pid = ${pid});
      perform pg_sleep(0.1), pg_stat_clear_snapshot();
    end loop;
  end $$`;
  const program = `import pg from "pg";
    const client = new pg.Client({ connectionString: ${JSON.stringify(location)} });
    await client.connect();
    await client.query(${JSON.stringify(wait)});
    await client.end();`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", program]);
}

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

  test("the server ends a write whose client falls silent, and another client can change its rows", async () => {
    await impatient.write(async (tx) => ok(await addCounter(tx, "locked")));
    const patient = await openPostgres({
      url: opened.location,
      poolSize: 1,
      answerMs: 10 * answerMs,
      onIdleError: () => {},
      ...speedUnderTest,
    });
    const change = (tx: Tx) =>
      sql`update rate_limits set count = count + 1 where key = 'locked'`.execute(tx);
    try {
      const abandoned = impatient.write(async (tx) => {
        await change(tx);
        proxy.silence();
        await change(tx);
        return ok();
      });
      await assert.rejects(abandoned, DatabaseUnavailable);
      await patient.write(async (tx) => {
        await change(tx);
        return ok();
      });
      assert.equal(await countOf(patient, "locked"), 1);
    } finally {
      await patient.close();
    }
  });

  test("a write that pauses for longer than the time limit is unavailable and stores nothing", async () => {
    const write = impatient.write(async (tx) => {
      await addCounter(tx, "pause: before");
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      stopUntilGone(opened.location, rows[0]?.pid ?? 0);
      await addCounter(tx, "pause: after");
      return ok();
    });
    await assert.rejects(write, DatabaseUnavailable);
    await add("pause: later");
    assert.deepEqual(await keysOf(opened.db, "pause"), ["pause: later"]);
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
