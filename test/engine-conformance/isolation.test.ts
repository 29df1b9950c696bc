import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import type { Db } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import { ok, refuse } from "#server/kernel/result.ts";
import { forEachEngine, openEngine, type OpenedEngine } from "#test/engines.ts";
import { accountRow, addCounter, countOf, sshKeyRow } from "./rows.ts";

forEachEngine((engine) => {
  let opened: OpenedEngine;
  let other: Db;

  before(async () => {
    opened = await openEngine(engine);
    other = await opened.reopen();
  });
  after(() => opened.dispose());

  test("200 concurrent decrements of 50 on one connection: exactly 50 succeed", async () => {
    await assertNothingIsTakenTwice("one connection", [opened.db]);
  });

  test("200 concurrent decrements of 50 on two connections: exactly 50 succeed", async () => {
    await assertNothingIsTakenTwice("two connections", [opened.db, other]);
  });

  async function assertNothingIsTakenTwice(key: string, dbs: readonly Db[]): Promise<void> {
    await opened.db.write(async (tx) => ok(await addCounter(tx, key, 50)));
    const takers = Array.from({ length: 200 }, (_, index) => dbs[index % dbs.length] as Db);
    const results = await Promise.all(takers.map((db) => takeOne(db, key)));
    assert.equal(results.filter((result) => result.ok).length, 50);
    assert.equal(await countOf(opened.db, key), 0);
  }

  test("a row is invisible to reads before its commit and visible to all of them after it", async () => {
    const { db } = opened;
    const seenByOthers = await db.write(async (tx) => {
      await addCounter(tx, "in secret", 1);
      return ok([await countOf(db, "in secret"), await countOf(other, "in secret")]);
    });
    assert.deepEqual(seenByOthers, { ok: true, value: [undefined, undefined] });
    assert.equal(await countOf(db, "in secret"), 1);
    assert.equal(await countOf(other, "in secret"), 1);
  });

  /** Tests a connection that has never rolled back, and one that has just done so. */
  for (const before of ["nothing", "a refusal"]) {
    test(`each of 50 concurrent writes is visible to every connection as soon as it resolves, after ${before}`, async () => {
      const db = await opened.reopen();
      if (before === "a refusal") {
        await Promise.all([
          db.write(async (tx) => ok(await addCounter(tx, "before"))),
          db.write(async () => refuse("conflict")),
        ]);
      }
      const writes = Array.from({ length: 50 }, async (_, index) => {
        const key = `at once after ${before} ${index}`;
        await db.write(async (tx) => ok(await addCounter(tx, key, index)));
        return countOf(index % 2 === 0 ? db : other, key);
      });
      assert.deepEqual(
        await Promise.all(writes),
        Array.from({ length: 50 }, (_, index) => index),
      );
    });
  }

  test("no read sees a row that a refusal rolled back", async () => {
    const { db } = opened;
    const seen: unknown[] = [];
    await db.write(async (tx) => {
      await addCounter(tx, "never", 1);
      seen.push(await countOf(other, "never"));
      return refuse("conflict");
    });
    assert.deepEqual([...seen, await countOf(db, "never")], [undefined, undefined]);
  });

  test("counting under a row lock before inserting never exceeds the limit", async () => {
    const { db } = opened;
    const limit = 5;
    await db.write(async (tx) => {
      await tx.insertInto("accounts").values(accountRow("ada")).execute();
      return ok();
    });
    const adds = Array.from({ length: 40 }, (_, index) =>
      addUpTo(limit, index % 2 === 0 ? db : other, `key ${index}`),
    );
    const results = await Promise.all(adds);
    assert.equal(results.filter((result) => result.ok).length, limit);
    const kept = await db.read.selectFrom("ssh_keys").select("id").execute();
    assert.equal(kept.length, limit);
  });
});

function takeOne(db: Db, key: string): Promise<Result<void>> {
  return db.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("rate_limits")
      .set({ count: sql`count - 1` })
      .where("key", "=", key)
      .where("count", ">", 0)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n ? ok() : refuse("limit_reached");
  });
}

function addUpTo(limit: number, db: Db, id: string): Promise<Result<void>> {
  return db.write(async (tx) => {
    await tx.selectFrom("accounts").select("id").where("id", "=", "ada").forUpdate().execute();
    const { saved } = await tx
      .selectFrom("ssh_keys")
      .select((eb) => eb.fn.countAll<number>().as("saved"))
      .where("account_id", "=", "ada")
      .executeTakeFirstOrThrow();
    if (saved >= limit) return refuse("limit_reached");
    await tx.insertInto("ssh_keys").values(sshKeyRow(id, "ada")).execute();
    return ok();
  });
}
