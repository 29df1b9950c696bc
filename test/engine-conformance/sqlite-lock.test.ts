import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, test } from "node:test";
import { sql } from "kysely";
import { migrations } from "#server/migrations/index.ts";
import { DatabaseUnavailable } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { createEmptyDatabase, openEngine, type OpenedEngine } from "#test/engines.ts";
import { openAt } from "#test/open-at.ts";
import { startChild } from "./child-process.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

describe("sqlite", () => {
  let opened: OpenedEngine;
  let other: DatabaseSync;

  beforeEach(async () => {
    opened = await openEngine("sqlite");
    other = new DatabaseSync(opened.location);
  });
  afterEach(async () => {
    other.close();
    await opened.dispose();
  });

  const add = (key: string) => opened.db.write(async (tx) => ok(await addCounter(tx, key)));

  test("a write waits for another process's transaction without blocking reads or the event loop", async () => {
    other.exec("begin immediate; insert into rate_limits values ('other', 1, 0)");
    let isSettled = false;
    const write = add("waiting").finally(() => (isSettled = true));
    // With a blocked event loop, these turns and reads would not finish before the lock is released.
    for (let turn = 0; turn < 50; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(await countOf(opened.db, "other"), undefined);
    }
    assert.equal(isSettled, false);
    other.exec("commit");
    assert.deepEqual(await write, ok());
    assert.deepEqual(await keysOf(opened.db, ""), ["other", "waiting"]);
  });

  test("a lock that is never released makes writes unavailable, and reads still succeed", async () => {
    other.exec("begin immediate");
    // More writes than one batch holds. The last ones must not wait for each earlier batch to time out.
    const writes = Array.from({ length: 200 }, (_, index) => add(`refused ${index}`));
    let refused = 0;
    for (const write of writes) write.catch(() => (refused += 1));
    await assert.rejects(writes[0] ?? assert.fail(), DatabaseUnavailable);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(refused, writes.length);
    assert.deepEqual(await keysOf(opened.db, ""), []);
    await opened.db.acceptsWrites();
    other.exec("rollback");
    assert.deepEqual(await add("c"), ok());
  });

  test("a command that finds nothing to migrate waits for no lock", async () => {
    other.exec("begin immediate");
    assert.deepEqual(await opened.db.migrate(migrations, 0), []);
    other.exec("rollback");
  });

  test("migrating a new file waits for a process that has locked all of it", async (t) => {
    const { location, remove } = await createEmptyDatabase("sqlite");
    const child = await startChild();
    t.after(() => child.dismiss());
    // The process that switched a file to WAL holds no lock on it until it next reads.
    const db = await openAt("sqlite", location);
    child.start({ kind: "lock", engine: "sqlite", location });
    assert.equal(await child.line(), "locked");
    const applied = await db.migrate(migrations, 0);
    assert.equal(applied.length, migrations.length);
    assert.deepEqual(await child.report(), []);
    await db.close();
    await remove();
  });

  test("a process that writes continuously does not starve another one", async () => {
    const busy = await opened.reopen();
    const over = new AbortController();
    const writeWithoutPause = async () => {
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        await busy.write(async (tx) => {
          await addCounter(tx, `busy ${turn}`);
          // Simulates a slow disk, so that the lock is held nearly all the time.
          await new Promise((resolve) => setTimeout(resolve, 20));
          return ok();
        });
      }
    };
    const load = writeWithoutPause();
    const results = [await add("first"), await add("second"), await add("third")];
    over.abort();
    await load;
    assert.deepEqual(results, [ok(), ok(), ok()]);
  });

  test("on a full disk writes are unavailable, committed rows stay, and writes succeed once there is space", async () => {
    const { db } = opened;
    assert.deepEqual(await add("before"), ok());
    const setMaxPages = (pages: number) =>
      db.write(async (tx) => ok(await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(tx)));
    await setMaxPages(1);
    const big = (key: string) => add(key + "x".repeat(100_000));
    const outcomes = await Promise.allSettled([big("big 1"), big("big 2"), big("big 3")]);
    for (const outcome of outcomes) {
      assert.ok(outcome.status === "rejected" && outcome.reason instanceof DatabaseUnavailable);
    }
    assert.deepEqual(await keysOf(db, "big"), []);
    await setMaxPages(1_000_000);
    assert.deepEqual(await big("big 4"), ok());
    assert.deepEqual(await countOf(db, "before"), 0);
  });
});
