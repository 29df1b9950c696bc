import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { migrations } from "#server/migrations/index.ts";
import type { Db } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { createEmptyDatabase, forEachEngine, openEngine } from "#test/engines.ts";
import { openAt } from "#test/open-at.ts";
import { startChild, type Child } from "./child-process.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

// Both engines share the processes, because starting twenty of them takes most of the time.
let children: readonly Child[];
before(async () => {
  children = await Promise.all(Array.from({ length: 20 }, () => startChild()));
});
after(() => Promise.all(children.map((child) => child.dismiss())));

forEachEngine((engine) => {
  test("twenty processes that migrate an empty database at once apply each step once", async () => {
    // Several rounds, because the interleaving is random.
    for (let round = 0; round < 3; round += 1) {
      const { location, remove } = await createEmptyDatabase(engine);
      for (const child of children) child.start({ kind: "migrate", engine, location });
      const reports = await Promise.all(children.map((child) => child.report()));
      const applied = reports.flat();
      assert.deepEqual(
        applied,
        migrations.map((step) => step.name),
      );

      const db = await openAt(engine, location);
      assert.deepEqual(await db.pending(migrations), []);
      await assertSound(db);
      await db.close();
      await remove();
    }
  });

  test("two processes that write concurrently lose no write and get no error", async () => {
    const { db, location, dispose } = await openEngine(engine);
    await db.write(async (tx) => ok(await addCounter(tx, "shared")));
    const names = ["left", "right"];
    names.forEach((name, index) =>
      children[index]?.start({ kind: "write", engine, location, name }),
    );
    for (const [index, name] of names.entries()) {
      const acknowledged = await children[index]?.report();
      assert.equal(acknowledged?.length, 300);
      assert.deepEqual(await keysOf(db, name), acknowledged.toSorted());
    }
    assert.equal(await countOf(db, "shared"), 600);
    await assertSound(db);
    await dispose();
  });

  test("after SIGKILL every acknowledged write is stored, and no write is partial", async () => {
    const { db, location, reopen, dispose } = await openEngine(engine);
    await db.write(async (tx) => ok(await addCounter(tx, "shared")));
    await db.close();
    const child = await startChild();
    child.start({ kind: "write", engine, location, name: "killed" });
    const acknowledged: string[] = [];
    while (acknowledged.length < 40)
      acknowledged.push((await child.line()) ?? assert.fail("the child printed too few lines"));
    acknowledged.push(...(await child.kill()));
    assert.ok(!acknowledged.includes("done"), "the child finished before it was killed");

    const successor = await reopen();
    await waitForLocks(successor);
    const stored = await keysOf(successor, "killed");
    assert.deepEqual(
      acknowledged.filter((key) => !stored.includes(key)),
      [],
    );
    assert.equal(await countOf(successor, "shared"), stored.length);
    await assertSound(successor);
    await dispose();
  });
});

/** Waits for the row lock of the killed process's last write, which PostgreSQL may still be committing. */
async function waitForLocks(db: Db): Promise<void> {
  const shared = await db.write(async (tx) => {
    const query = tx.selectFrom("rate_limits").select("key").where("key", "=", "shared");
    return ok(await query.forUpdate().execute());
  });
  assert.ok(shared.ok);
}

async function assertSound(db: Db): Promise<void> {
  if (db.engine !== "sqlite") return;
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db.read);
  assert.deepEqual(
    rows.map((row) => row.integrity_check),
    ["ok"],
  );
}
