import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { DatabaseUnavailable, type Db } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { forEachEngine, openEngine, type OpenedEngine } from "#test/engines.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

forEachEngine((engine) => {
  let opened: OpenedEngine;
  let db: Db;

  before(async () => {
    opened = await openEngine(engine);
  });
  after(() => opened.dispose());

  beforeEach(async () => {
    db = await opened.reopen();
  });

  test("close waits for all 200 queued writes", async () => {
    const writes = Array.from({ length: 200 }, (_, index) =>
      db.write(async (tx) => {
        await addCounter(tx, `queued ${index}`);
        await new Promise((resolve) => setImmediate(resolve));
        return ok(index);
      }),
    );
    await db.close();
    assert.equal((await keysOf(opened.db, "queued")).length, 200);
    assert.ok((await Promise.all(writes)).every((result) => result.ok));
  });

  test("a write after close has started is unavailable and stores nothing", async () => {
    const first = db.write(async (tx) => ok(await addCounter(tx, "closing: in time")));
    const closed = db.close();
    const late = db.write(async (tx) => ok(await addCounter(tx, "closing: late")));
    // Starts in the same turn of the event loop in which the last write resolves.
    const latest = first.then(() =>
      db.write(async (tx) => ok(await addCounter(tx, "closing: latest"))),
    );
    await assert.rejects(late, DatabaseUnavailable);
    await assert.rejects(latest, DatabaseUnavailable);
    await closed;
    assert.deepEqual(await keysOf(opened.db, "closing"), ["closing: in time"]);
  });

  test("a write that is in progress when close starts can still read", async () => {
    const write = db.write(async (tx) => {
      await addCounter(tx, "reads");
      return ok(await countOf(db, "reads"));
    });
    await db.close();
    assert.deepEqual(await write, ok(undefined));
  });

  test("after close every call is unavailable, and closing again does nothing", async () => {
    await Promise.all([db.close(), db.close()]);
    await db.close();
    await assert.rejects(db.acceptsWrites(), DatabaseUnavailable);
    await assert.rejects(countOf(db, "a"), DatabaseUnavailable);
    await assert.rejects(
      db.write(async () => ok()),
      DatabaseUnavailable,
    );
    await assert.rejects(db.migrate([], 0), DatabaseUnavailable);
    await assert.rejects(db.pending([]), DatabaseUnavailable);
  });
});
