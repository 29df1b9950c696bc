import assert from "node:assert/strict";
import { test } from "node:test";
import type { Pool, PoolClient, QueryConfig } from "pg";
import { preparedInsert } from "#kernel/sql/prepared.ts";
import { ok, refuse } from "#ports/result.ts";
import { inTransaction } from "./transaction.ts";

const insertCounter = preparedInsert("rate_limits", ["key", "count", "window_ends_at"]);

/** A driver that answers control statements at once and everything else as the test says. */
function driverThat(answer: () => Promise<unknown>) {
  const sent: string[] = [];
  const query = async (config: string | QueryConfig) => {
    const text = typeof config === "string" ? config : config.text.split(" ", 1)[0];
    sent.push(text ?? "");
    if (typeof config !== "string") await answer();
    return { rows: [], rowCount: 0, command: String(text).toUpperCase() };
  };
  const client = { query, release: () => {} } as unknown as PoolClient;
  const pool = { connect: async () => client } as unknown as Pick<Pool, "connect">;
  return { sent, pool };
}

const insertOne = (pool: Pick<Pool, "connect">) =>
  inTransaction(pool, async (tx) =>
    ok(await insertCounter(tx, { key: "a", count: 1, window_ends_at: 0 })),
  );

test("commit is not sent while a pipelined statement is unsettled", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { sent, pool } = driverThat(() => promise);
  const write = insertOne(pool);
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(sent, ["begin", "insert"]);
  resolve();
  assert.deepEqual(await write, ok());
  assert.deepEqual(sent, ["begin", "insert", "commit"]);
});

test("commit is never sent after the driver itself has rejected a pipelined statement", async () => {
  const rejected = new Error("rejected by the driver");
  const { sent, pool } = driverThat(() => Promise.reject(rejected));
  await assert.rejects(insertOne(pool), rejected);
  assert.deepEqual(sent, ["begin", "insert", "rollback"]);
});

test("a refusal sends rollback and reaches the caller", async () => {
  const { sent, pool } = driverThat(async () => {});
  assert.deepEqual(await inTransaction(pool, async () => refuse("conflict")), refuse("conflict"));
  assert.deepEqual(sent, ["begin", "rollback"]);
});
