import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import type { Tx } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { forEachEngine, openEngine, type OpenedEngine } from "#test/engines.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

/** Values that must be refused as parameters, because an engine would round or convert them. */
const unstorable: readonly [what: string, value: unknown, error: ErrorConstructor][] = [
  ["2^53", 2 ** 53, RangeError],
  ["-2^53", -(2 ** 53), RangeError],
  ["a fraction", 0.1, RangeError],
  ["NaN", Number.NaN, RangeError],
  ["infinity", Number.POSITIVE_INFINITY, RangeError],
  ["a bigint beyond 2^53", 2n ** 53n + 1n, RangeError],
  ["a small bigint", 1n, RangeError],
  ["undefined", undefined, TypeError],
  ["a boolean", true, TypeError],
  ["a date", new Date(0), TypeError],
  ["an object", { name: "x" }, TypeError],
];

forEachEngine((engine) => {
  let opened: OpenedEngine;

  before(async () => {
    opened = await openEngine(engine);
  });
  after(() => opened.dispose());

  test("every integer within 2^53 is read as it was stored", async () => {
    const { db } = opened;
    const amounts = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, 2 ** 53 - 1, 1 - 2 ** 53));
    await fc.assert(
      fc.asyncProperty(amounts, async (amount) => {
        const written = await db.write(async (tx) => {
          const row = { key: "amount", count: 0, window_ends_at: amount };
          const upsert = tx.insertInto("rate_limits").values(row);
          await upsert
            .onConflict((conflict) =>
              conflict.column("key").doUpdateSet({ window_ends_at: amount }),
            )
            .execute();
          return ok(await selectAmount(tx));
        });
        assert.deepEqual(written, { ok: true, value: amount });
        assert.equal(await selectAmount(db.read), amount);
      }),
      { numRuns: 50 },
    );
  });

  test("every text is read as it was stored", async () => {
    // PostgreSQL cannot store U+0000 in a text. The HTTP layer refuses it.
    const character = fc
      .oneof(fc.integer({ min: 1, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
      .map((code) => String.fromCodePoint(code));
    const texts = fc.string({ unit: character });
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const query = sql<{ same: string }>`select cast(${text} as text) as same`;
        assert.equal((await query.execute(opened.db.read)).rows[0]?.same, text);
      }),
      { numRuns: 50 },
    );
  });

  for (const [what, value, error] of unstorable) {
    test(`${what} is refused as a parameter in any position, and nothing is stored`, async () => {
      const { db } = opened;
      const write = db.write(async (tx) => {
        await addCounter(tx, "unstorable");
        await sql`update rate_limits set key = ${"unstored"}, count = ${value}`.execute(tx);
        return ok();
      });
      await assert.rejects(write, error);
      assert.deepEqual(await keysOf(db, "unsto"), []);
      const first = sql`select cast(${value} as text), cast(${"a"} as text)`.execute(db.read);
      await assert.rejects(first, error);
    });
  }

  test("an integer beyond 2^53 in the database is refused when read and never rounded", async () => {
    const { db } = opened;
    await db.write(async (tx) => {
      await sql`insert into rate_limits values ('wide', 9007199254740993, 0)`.execute(tx);
      return ok();
    });
    await assert.rejects(countOf(db, "wide"), RangeError);
    const inWrite = db.write(async (tx) =>
      ok(await tx.selectFrom("rate_limits").select("count").where("key", "=", "wide").execute()),
    );
    await assert.rejects(inWrite, RangeError);
    const returned = db.write(async (tx) =>
      ok(await tx.deleteFrom("rate_limits").where("key", "=", "wide").returning("count").execute()),
    );
    await assert.rejects(returned, RangeError);
    assert.deepEqual(await keysOf(db, "wide"), ["wide"]);
  });

  test("counts and sums are numbers, and a sum beyond 2^53 is refused", async () => {
    const { db } = opened;
    const totals = async () => {
      const { n, total } = await db.read
        .selectFrom("rate_limits")
        .select((eb) => [eb.fn.countAll<number>().as("n"), eb.fn.sum<number>("count").as("total")])
        .where("key", "like", "total%")
        .executeTakeFirstOrThrow();
      return [n, total];
    };
    const add = (key: string, count: number) =>
      db.write(async (tx) => ok(await addCounter(tx, key, count)));
    await add("total a", 2 ** 53 - 2);
    await add("total b", 1);
    assert.deepEqual(await totals(), [2, 2 ** 53 - 1]);
    await add("total c", 1);
    await assert.rejects(totals(), RangeError);
  });
});

async function selectAmount(db: Tx): Promise<number> {
  const query = db.selectFrom("rate_limits").select("window_ends_at").where("key", "=", "amount");
  return (await query.executeTakeFirstOrThrow()).window_ends_at;
}
