import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Pool, PoolClient, QueryConfig } from "pg";
import { Batch } from "#adapters/postgres/batch.ts";
import { Transactions } from "#adapters/postgres/transaction.ts";
import { prepared, preparedChange, preparedInsert } from "#kernel/sql/prepared.ts";
import { sendTogether } from "#kernel/sql/send-together.ts";
import type { Tx } from "#ports/db.ts";
import { ok, refuse } from "#kernel/result.ts";
import { pipelinedWrites } from "./pipelined-writes.ts";

const insertCounter = preparedInsert("rate_limits", ["key", "count", "window_ends_at"]);
const readCounters = prepared([], (db) => db.selectFrom("rate_limits").selectAll());
const deleteCounters = preparedChange([], (db) => db.deleteFrom("rate_limits"));

const insert = (tx: Tx) => insertCounter(tx, { key: "a", count: 1, window_ends_at: 0 });

const controls = ["begin", "commit", "rollback"];

/** A driver that answers control statements at once, other ones after `answer` resolves, and `begin` after `begun`. */
function driverThat(answer: () => Promise<unknown>, begun: Promise<unknown> = Promise.resolve()) {
  const sent: string[] = [];
  /** Notes the statements of a message as one. */
  const respond = async (verbs: readonly string[]) => {
    sent.push(verbs.join("+"));
    if (verbs.includes("begin")) await begun;
    if (verbs.some((verb) => !controls.includes(verb))) await answer();
    return verbs.map((verb) => ({ rows: [], rowCount: 0, command: verb.toUpperCase() }));
  };
  const query = async (config: QueryConfig | Batch) => {
    if (!(config instanceof Batch)) return (await respond([verbOf(config)]))[0];
    const { callback } = config as unknown as {
      callback: (error: unknown, results?: readonly object[]) => void;
    };
    try {
      callback(undefined, await respond(config.statements.map(verbOf)));
    } catch (error) {
      callback(error);
    }
    return undefined;
  };
  const client = { query, release: () => {} } as unknown as PoolClient;
  const pool = { connect: async () => client } as unknown as Pick<Pool, "connect">;
  return { sent, pool };
}

const verbOf = ({ text }: { readonly text: string }) => text.split(" ", 1)[0] ?? "";

const nextTurn = () => new Promise((done) => setImmediate(done));

for (const [title, wrapper] of [
  ["a transaction that awaits every statement", undefined],
  ["a transaction with pipelined writes", pipelinedWrites],
] as const) {
  describe(title, () => {
    const options = { prepares: true, pipelinedWrites: wrapper };
    const isPipelined = wrapper !== undefined;
    const withBegin = (verb: string) => (isPipelined ? [`begin+${verb}`] : ["begin", verb]);
    const insertOne = (pool: Pick<Pool, "connect">) =>
      new Transactions(pool, options).run(async (tx) => ok(await insert(tx)));

    test("sends commit only after every statement is answered, or in one message with the last ones", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { sent, pool } = driverThat(() => promise);
      const write = insertOne(pool);
      await nextTurn();
      const early = isPipelined ? ["begin+insert+commit"] : ["begin", "insert"];
      assert.deepEqual(sent, early);
      resolve();
      assert.deepEqual(await write, ok());
      assert.deepEqual(sent, isPipelined ? early : [...early, "commit"]);
    });

    test("sends no message, not even commit, while the one before it is unanswered", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { sent, pool } = driverThat(() => promise);
      const write = new Transactions(pool, options).run(async (tx) => {
        await sendTogether(...Array.from({ length: 64 }, () => readCounters(tx, {})));
        return ok();
      });
      await nextTurn();
      // Without the pipeline, statements that are begun together are sent one by one.
      assert.equal(sent.length, isPipelined ? 1 : 65);
      resolve();
      assert.deepEqual(await write, ok());
      assert.equal(sent.length, isPipelined ? 3 : 66);
    });

    test("sends nothing after a message that failed", async () => {
      const rejected = new Error("rejected by the driver");
      const { sent, pool } = driverThat(() => Promise.reject(rejected));
      const run = new Transactions(pool, options).run(async (tx) => {
        await sendTogether(...Array.from({ length: 64 }, () => readCounters(tx, {})));
        return ok();
      });
      await assert.rejects(run, rejected);
      assert.equal(sent.at(-1), "rollback");
      assert.equal(sent.length, isPipelined ? 2 : 66);
    });

    test("never sends commit after the driver itself has rejected a statement", async () => {
      const rejected = new Error("rejected by the driver");
      const { sent, pool } = driverThat(() => Promise.reject(rejected));
      const run = new Transactions(pool, options).run(async (tx) => {
        await readCounters(tx, {});
        return ok();
      });
      await assert.rejects(run, rejected);
      assert.deepEqual(sent, [...withBegin("select"), "rollback"]);
    });

    test("never sends commit if the work ignored that the driver rejected a statement", async () => {
      const { sent, pool } = driverThat(() => Promise.reject(new Error("rejected by the driver")));
      const run = new Transactions(pool, options).run(async (tx) => {
        await readCounters(tx, {}).catch(() => {});
        return ok();
      });
      await assert.rejects(run, /did not commit/);
      assert.deepEqual(sent, [...withBegin("select"), "rollback"]);
    });

    test("sends rollback for a refusal and returns the refusal", async () => {
      const { sent, pool } = driverThat(async () => {});
      const run = new Transactions(pool, options).run(async (tx) => {
        await readCounters(tx, {});
        return refuse("conflict");
      });
      assert.deepEqual(await run, refuse("conflict"));
      assert.deepEqual(sent, [...withBegin("select"), "rollback"]);
    });

    test("sends the next statement early only if the previous result is not read", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { sent, pool } = driverThat(() => promise);
      const run = new Transactions(pool, options).run(async (tx) => {
        await insert(tx);
        await insert(tx);
        await readCounters(tx, {});
        await insert(tx);
        return ok();
      });
      await nextTurn();
      assert.deepEqual(sent, isPipelined ? ["begin+insert+insert+select"] : ["begin", "insert"]);
      resolve();
      assert.deepEqual(await run, ok());
      const all = isPipelined
        ? ["begin+insert+insert+select", "insert+commit"]
        : ["begin", "insert", "insert", "select", "insert", "commit"];
      assert.deepEqual(sent, all);
    });

    test("sends nothing after a refused begin, or only what PostgreSQL skips", async () => {
      const refused = new Error("refused by the server");
      const begun = Promise.withResolvers<void>();
      const { sent, pool } = driverThat(async () => {}, begun.promise);
      const run = new Transactions(pool, options).run(async (tx) => {
        await readCounters(tx, {});
        await insert(tx);
        return ok();
      });
      const result = assert.rejects(run, refused);
      await nextTurn();
      const early = isPipelined ? "begin+select" : "begin";
      assert.deepEqual(sent, [early]);
      begun.reject(refused);
      await result;
      assert.deepEqual(sent, [early, "rollback"]);
    });

    test("sends statements that are begun together in their order", async () => {
      const { sent, pool } = driverThat(async () => {});
      const run = new Transactions(pool, options).run(async (tx) => {
        await sendTogether(insert(tx), deleteCounters(tx, {}), readCounters(tx, {}));
        return ok();
      });
      assert.deepEqual(await run, ok());
      const apart = ["begin", "insert", "delete", "select", "commit"];
      assert.deepEqual(sent, isPipelined ? ["begin+insert+delete+select", "commit"] : apart);
    });

    test("ends only after all statements that were begun together, with the first failure", async () => {
      const rejected = new Error("rejected by the driver");
      const { promise, resolve } = Promise.withResolvers<void>();
      let answers = 0;
      const { sent, pool } = driverThat(async () => {
        answers += 1;
        if (answers === 1) await Promise.all([promise, Promise.reject(rejected)]);
        await promise;
      });
      const run = new Transactions(pool, options).run(async (tx) => {
        await sendTogether(readCounters(tx, {}), deleteCounters(tx, {}));
        return ok();
      });
      const result = assert.rejects(run, rejected);
      await nextTurn();
      resolve();
      await result;
      const apart = ["begin", "select", "delete", "rollback"];
      assert.deepEqual(sent, isPipelined ? ["begin+select+delete", "rollback"] : apart);
    });

    test("limits the number of statements in a message", async () => {
      const { sent, pool } = driverThat(async () => {});
      const run = new Transactions(pool, options).run(async (tx) => {
        for (let count = 0; count < 100; count += 1) await insert(tx);
        await sendTogether(...Array.from({ length: 100 }, () => readCounters(tx, {})));
        return ok();
      });
      assert.deepEqual(await run, ok());
      const counts = sent.map((message) => message.split("+").length);
      assert.deepEqual(
        counts,
        isPipelined ? [64, 64, 64, 9, 1] : Array.from({ length: 202 }, () => 1),
      );
    });

    test("a refusal sends nothing that is still unsent", async () => {
      const { sent, pool } = driverThat(async () => {});
      const run = new Transactions(pool, options).run(async (tx) => {
        await insert(tx);
        return refuse("conflict");
      });
      assert.deepEqual(await run, refuse("conflict"));
      assert.deepEqual(sent, isPipelined ? [] : ["begin", "insert", "rollback"]);
    });
  });
}
