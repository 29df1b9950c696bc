import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { Tx } from "#server/ports/db.ts";
import { preparedInsert } from "#server/kernel/sql/prepared.ts";
import type { Result } from "#server/ports/result.ts";
import { ok, refuse } from "#server/kernel/result.ts";
import { forEachEngine, openEngine, type OpenedEngine } from "#test/engines.ts";
import { addCounter, countOf, keysOf } from "./rows.ts";

/** Pipelined on PostgreSQL: the write does not wait for its result. */
const insertCounter = preparedInsert("rate_limits", ["key", "count", "window_ends_at"]);

function pipelineCounter(tx: Tx, key: string, count: number): Promise<void> {
  return insertCounter(tx, { key, count, window_ends_at: 0 });
}

forEachEngine((engine) => {
  let opened: OpenedEngine;

  before(async () => {
    opened = await openEngine(engine);
  });
  after(() => opened.dispose());

  test("an ok commits, and the caller receives its value", async () => {
    const { db } = opened;
    const result = await db.write(async (tx) => {
      await addCounter(tx, "kept", 7);
      return ok("value");
    });
    assert.deepEqual(result, { ok: true, value: "value" });
    assert.equal(await countOf(db, "kept"), 7);
  });

  test("a refusal leaves no row, and the caller receives it unchanged", async () => {
    const { db } = opened;
    const refusal = refuse("validation_failed", { fields: [{ field: "a", message: "b" }] });
    const result = await db.write(async (tx) => {
      await addCounter(tx, "refused 1");
      await addCounter(tx, "refused 2");
      return refusal;
    });
    assert.deepEqual(result, refusal);
    assert.deepEqual(await keysOf(db, "refused"), []);
  });

  test("a throw leaves no row, and the caller receives the same error", async () => {
    const { db } = opened;
    const bug = new TypeError("a bug");
    const write = db.write(async (tx) => {
      await addCounter(tx, "thrown");
      throw bug;
    });
    await assert.rejects(write, (error) => error === bug);
    assert.deepEqual(await keysOf(db, "thrown"), []);
  });

  test("a write sees its own rows before they are committed", async () => {
    const seen = await opened.db.write(async (tx) => {
      await addCounter(tx, "own", 3);
      const query = tx.selectFrom("rate_limits").select("count").where("key", "=", "own");
      return ok((await query.executeTakeFirst())?.count);
    });
    assert.deepEqual(seen, { ok: true, value: 3 });
  });

  test("among concurrent writes, a refused or thrown one rolls back only itself", async () => {
    const { db } = opened;
    const bug = new Error("a bug");
    let run = 0;
    const endings = fc.array(fc.constantFrom("ok", "refused", "thrown"), { maxLength: 150 });
    await fc.assert(
      fc.asyncProperty(endings, async (planned) => {
        run += 1;
        const prefix = `batch ${run} `;
        const write = (ending: string, index: number): Promise<Result<string>> =>
          db.write(async (tx) => {
            const key = `${prefix}${String(index).padStart(3, "0")}`;
            await addCounter(tx, `${key} a`);
            if (ending === "thrown") throw bug;
            await addCounter(tx, `${key} b`);
            return ending === "refused" ? refuse("conflict") : ok(key);
          });
        const outcomes = await Promise.allSettled(planned.map(write));

        const reported = outcomes.map((outcome) => {
          if (outcome.status === "rejected") return outcome.reason === bug ? "thrown" : "lost";
          return outcome.value.ok ? "ok" : "refused";
        });
        assert.deepEqual(reported, planned);
        const committed = outcomes.flatMap((outcome) =>
          outcome.status === "fulfilled" && outcome.value.ok ? [outcome.value.value] : [],
        );
        const rows = committed.flatMap((key) => [`${key} a`, `${key} b`]);
        assert.deepEqual(await keysOf(db, prefix), rows);
      }),
      { numRuns: 20 },
    );
  });

  test("a pipelined statement with an unstorable value rolls back its write", async () => {
    const { db } = opened;
    const write = db.write(async (tx) => {
      await pipelineCounter(tx, "half 1", 1);
      await pipelineCounter(tx, "half 2", 0.5);
      return ok();
    });
    await assert.rejects(write, RangeError);
    assert.deepEqual(await keysOf(db, "half"), []);
  });

  test("a pipelined statement that violates a constraint rolls back its write", async () => {
    const { db } = opened;
    const write = db.write(async (tx) => {
      await pipelineCounter(tx, "violation 1", 1);
      await pipelineCounter(tx, "violation 2", -1);
      return ok();
    });
    await assert.rejects(write, { name: "ConstraintViolation" });
    assert.deepEqual(await keysOf(db, "violation"), []);
  });

  test("a pipelined statement that failed when it was first prepared can be repeated", async () => {
    const { db } = opened;
    const insertFirst = preparedInsert("rate_limits", ["window_ends_at", "count", "key"]);
    const write = (count: number) =>
      db.write(async (tx) => ok(await insertFirst(tx, { window_ends_at: 0, count, key: "again" })));
    await assert.rejects(write(-1), { name: "ConstraintViolation" });
    await assert.rejects(write(-1), { name: "ConstraintViolation" });
    assert.deepEqual(await write(1), ok());
    assert.equal(await countOf(db, "again"), 1);
  });

  test("a write that swallows the error of an unstorable value and returns ok leaves no row", async () => {
    const { db } = opened;
    const ignoring = (statement: (tx: Tx) => Promise<void>) =>
      db.write(async (tx) => {
        await addCounter(tx, "ignored 1");
        await statement(tx).catch(() => {});
        return ok();
      });
    await assert.rejects(ignoring((tx) => pipelineCounter(tx, "ignored 2", 0.5)));
    await assert.rejects(ignoring((tx) => addCounter(tx, "ignored 2", 0.5)));
    assert.deepEqual(await keysOf(db, "ignored"), []);
  });
});
