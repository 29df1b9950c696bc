import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Pool, PoolClient, QueryConfig } from "pg";
import { Batch } from "#adapters/postgres/batch.ts";
import { Transactions } from "#adapters/postgres/transaction.ts";
import { prepared, preparedChange, preparedCommand, preparedInsert } from "#kernel/sql/prepared.ts";
import { sendTogether } from "#kernel/sql/send-together.ts";
import type { Tx } from "#ports/db.ts";
import { ok, refuse } from "#kernel/result.ts";
import { pipelinedWrites } from "./pipelined-writes.ts";

const insertCounter = preparedInsert("rate_limits", ["key", "count", "window_ends_at"]);
const lockCounter = preparedCommand(["key"], (db, { key }: { key: string }) =>
  db.selectFrom("rate_limits").select("key").where("key", "=", key).forUpdate(),
);
const readCounters = prepared([], (db) => db.selectFrom("rate_limits").selectAll());
const deleteCounters = preparedChange([], (db) => db.deleteFrom("rate_limits"));

const insert = (tx: Tx) => insertCounter(tx, { key: "a", count: 1, window_ends_at: 0 });

/** A driver that answers other control statements than `begin` at once, and other statements after `answer` resolves. */
function driverThat(answer: () => Promise<unknown>, begun: Promise<unknown> = Promise.resolve()) {
  const sent: string[] = [];
  const query = async (config: string | QueryConfig) => {
    if (config instanceof Batch) return end(config);
    const text = typeof config === "string" ? config : verbOf(config);
    sent.push(text);
    if (text === "begin") await begun;
    if (typeof config !== "string") await answer();
    return { rows: [], rowCount: 0, command: text.toUpperCase() };
  };
  /** Notes the statements of a batch as one, and ends it as PostgreSQL would. */
  const end = async (batch: Batch) => {
    const verbs = batch.statements.map(verbOf);
    sent.push(verbs.join("+"));
    const query = batch as unknown as { callback: (error?: unknown) => void };
    try {
      if (verbs.some((verb) => verb !== "commit")) await answer();
      batch.handleCommandComplete({ text: String(verbs.at(-1)).toUpperCase() });
      query.callback();
    } catch (error) {
      query.callback(error);
    }
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
    /** In one message, of which PostgreSQL skips `commit` if the insert fails. */
    const insertAndCommit = isPipelined ? ["insert+commit"] : ["insert", "commit"];
    const insertOne = (pool: Pick<Pool, "connect">) =>
      new Transactions(pool, options).run(async (tx) => ok(await insert(tx)));

    test("sends commit only after every statement is answered, or in one message with the last ones", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { sent, pool } = driverThat(() => promise);
      const write = insertOne(pool);
      await nextTurn();
      assert.deepEqual(sent, ["begin", insertAndCommit[0]]);
      resolve();
      assert.deepEqual(await write, ok());
      assert.deepEqual(sent, ["begin", ...insertAndCommit]);
    });

    test("sends no commit by itself while a statement is unanswered", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { sent, pool } = driverThat(() => promise);
      const write = new Transactions(pool, options).run(async (tx) => {
        for (let count = 0; count < 64; count += 1) await insert(tx);
        return ok();
      });
      await nextTurn();
      assert.equal(sent.length, 2);
      resolve();
      assert.deepEqual(await write, ok());
      assert.equal(sent.at(-1), "commit");
    });

    test("never sends commit after the driver itself has rejected a statement", async () => {
      const rejected = new Error("rejected by the driver");
      const { sent, pool } = driverThat(() => Promise.reject(rejected));
      await assert.rejects(insertOne(pool), rejected);
      assert.deepEqual(sent, ["begin", insertAndCommit[0], "rollback"]);
    });

    test("sends rollback for a refusal and returns the refusal", async () => {
      const { sent, pool } = driverThat(async () => {});
      const run = new Transactions(pool, options).run(async () => refuse("conflict"));
      assert.deepEqual(await run, refuse("conflict"));
      assert.deepEqual(sent, ["begin", "rollback"]);
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
      const early = isPipelined ? ["insert+insert", "select"] : ["insert"];
      assert.deepEqual(sent, ["begin", ...early]);
      resolve();
      assert.deepEqual(await run, ok());
      const all = isPipelined ? early : ["insert", "insert", "select"];
      assert.deepEqual(sent, ["begin", ...all, ...insertAndCommit]);
    });

    test("sends no write before begin is answered, and none after a refused begin", async () => {
      const refused = new Error("refused by the server");
      const begun = Promise.withResolvers<void>();
      const { sent, pool } = driverThat(async () => {}, begun.promise);
      const run = new Transactions(pool, options).run(async (tx) => {
        await lockCounter(tx, { key: "a" });
        await readCounters(tx, {});
        await insert(tx);
        return ok();
      });
      const result = assert.rejects(run, refused);
      await nextTurn();
      const early = isPipelined ? ["select", "select"] : [];
      assert.deepEqual(sent, ["begin", ...early]);
      begun.reject(refused);
      await result;
      assert.deepEqual(sent, ["begin", ...early, "rollback"]);
    });

    test("sends a write only after begin is answered", async () => {
      const begun = Promise.withResolvers<void>();
      const { sent, pool } = driverThat(async () => {}, begun.promise);
      const run = insertOne(pool);
      await nextTurn();
      assert.deepEqual(sent, ["begin"]);
      begun.resolve();
      assert.deepEqual(await run, ok());
      assert.deepEqual(sent, ["begin", ...insertAndCommit]);
    });

    test("sends statements that are begun together in their order, after begin is answered", async () => {
      const begun = Promise.withResolvers<void>();
      const { sent, pool } = driverThat(async () => {}, begun.promise);
      const run = new Transactions(pool, options).run(async (tx) => {
        await sendTogether(insert(tx), deleteCounters(tx, {}), readCounters(tx, {}));
        return ok();
      });
      await nextTurn();
      assert.deepEqual(sent, ["begin"]);
      begun.resolve();
      assert.deepEqual(await run, ok());
      assert.deepEqual(sent, ["begin", "insert", "delete", "select", "commit"]);
    });

    test("ends only after all statements that were begun together, with the first failure", async () => {
      const rejected = new Error("rejected by the driver");
      const { promise, resolve } = Promise.withResolvers<void>();
      let answers = 0;
      const { sent, pool } = driverThat(async () => {
        answers += 1;
        if (answers === 1) throw rejected;
        await promise;
      });
      const run = new Transactions(pool, options).run(async (tx) => {
        await sendTogether(readCounters(tx, {}), deleteCounters(tx, {}));
        return ok();
      });
      const result = assert.rejects(run, rejected);
      await nextTurn();
      assert.deepEqual(sent, ["begin", "select", "delete"]);
      resolve();
      await result;
      assert.deepEqual(sent, ["begin", "select", "delete", "rollback"]);
    });

    test("limits the number of statements in a message", async () => {
      const { sent, pool } = driverThat(async () => {});
      const run = new Transactions(pool, options).run(async (tx) => {
        for (let count = 0; count < 100; count += 1) await insert(tx);
        return ok();
      });
      assert.deepEqual(await run, ok());
      const counts = sent.map((message) => message.split("+").length);
      assert.deepEqual(counts, isPipelined ? [1, 64, 37] : Array.from({ length: 102 }, () => 1));
    });

    test("a refusal sends nothing that is still unsent", async () => {
      const { sent, pool } = driverThat(async () => {});
      const run = new Transactions(pool, options).run(async (tx) => {
        await insert(tx);
        return refuse("conflict");
      });
      assert.deepEqual(await run, refuse("conflict"));
      assert.deepEqual(sent, ["begin", ...(isPipelined ? [] : ["insert"]), "rollback"]);
    });
  });
}
