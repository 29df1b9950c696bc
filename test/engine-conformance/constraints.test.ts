import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import { ConstraintViolation } from "#server/ports/db.ts";
import type { Refusal } from "#server/ports/result.ts";
import { ok } from "#server/kernel/result.ts";
import { forEachEngine, openEngine, type OpenedEngine } from "#test/engines.ts";
import { sampleTables, violations } from "./sample-constraints.ts";
import { accountRow, addCounter, countOf, keysOf } from "./rows.ts";

forEachEngine((engine) => {
  let opened: OpenedEngine;

  before(async () => {
    opened = await openEngine(engine, [sampleTables]);
  });
  after(() => opened.dispose());

  for (const { what, constraint, violate } of violations) {
    test(`violating ${what} throws a ConstraintViolation of ${constraint} and stores nothing`, async () => {
      const { db } = opened;
      const write = db.write(async (tx) => ok(await violate(tx)));
      await assert.rejects(write, (error) => {
        assert.ok(error instanceof ConstraintViolation, String(error));
        assert.equal(error.constraint, constraint);
        return true;
      });
      await assertEmpty();
    });

    test(`violating ${what} returns the refusal that the write maps to it`, async () => {
      const refusal: Refusal = { code: "conflict", message: what };
      const result = await opened.db.write(async (tx) => ok(await violate(tx)), {
        another_constraint: { code: "not_found" },
        [constraint]: refusal,
      });
      assert.deepEqual(result, { ok: false, refusal });
      await assertEmpty();
    });
  }

  async function assertEmpty(): Promise<void> {
    for (const table of ["accounts", "ssh_keys", "api_keys", "rate_limits", "racks", "blades"]) {
      const { rows } = await sql`select 1 from ${sql.table(table)}`.execute(opened.db.read);
      assert.deepEqual(rows, [], table);
    }
  }

  test("a violation of an unmapped constraint throws", async () => {
    const write = opened.db.write(
      async (tx) => {
        await addCounter(tx, "same");
        await addCounter(tx, "same");
        return ok();
      },
      { accounts_username_unique: { code: "username_taken" } },
    );
    await assert.rejects(write, ConstraintViolation);
  });

  test("a write succeeds after 100 violations", async () => {
    const { db } = opened;
    const negative = (index: number) =>
      db.write(async (tx) => ok(await addCounter(tx, `negative ${index}`, -1)));
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, i) => negative(i)));
    assert.ok(outcomes.every((outcome) => outcome.status === "rejected"));
    await db.write(async (tx) => ok(await addCounter(tx, "positive", 1)));
    assert.equal(await countOf(db, "positive"), 1);
    assert.deepEqual(await keysOf(db, "negative"), []);
  });

  test("20 concurrent inserts of one username: one succeeds and 19 are refused", async () => {
    const { db } = opened;
    const takers = Array.from({ length: 20 }, (_, index) =>
      db.write(
        async (tx) => {
          await tx
            .insertInto("accounts")
            .values(accountRow(`taker ${index}`, "ada"))
            .execute();
          return ok(index);
        },
        { accounts_username_unique: { code: "username_taken" } },
      ),
    );
    const results = await Promise.all(takers);
    const codes = results.flatMap((result) => (result.ok ? [] : [result.refusal.code]));
    assert.deepEqual(
      codes,
      Array.from({ length: 19 }, () => "username_taken"),
    );
    const rows = await db.read.selectFrom("accounts").select("id").execute();
    assert.deepEqual(
      rows.map((row) => row.id),
      results.flatMap((r) => (r.ok ? [`taker ${r.value}`] : [])),
    );
  });

  test("a write that swallows a constraint violation and returns ok throws and stores nothing", async () => {
    const { db } = opened;
    const write = db.write(async (tx) => {
      await addCounter(tx, "before it");
      await addCounter(tx, "broken", -1).catch(() => {});
      return ok();
    });
    await assert.rejects(write, /did not commit/);
    assert.deepEqual(await keysOf(db, "before it"), []);
  });
});
