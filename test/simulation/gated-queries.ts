import type { CompiledQuery, Kysely, QueryResult } from "kysely";
import { DatabaseUnavailable, type Db } from "#server/ports/db.ts";
import type { Schema } from "#server/ports/schema.ts";
import { interceptQueries } from "#test/intercept-queries.ts";
import type { Fault } from "./faults.ts";
import { currentTask, type Task } from "./scheduler.ts";

/** Queries that stop at a gate before they are asked, each for the task that asks it. */
export interface GatedQueries {
  readonly read: Kysely<Schema>;
  readonly tx: Kysely<Schema>;
}

/** The transaction that a task is in. */
export interface OpenTransaction {
  readonly tx: Kysely<Schema>;
  /** What went wrong in it. Nothing more can be done in it then, as on a real connection. */
  failure: Error | undefined;
}

export const transactions = new WeakMap<Task, OpenTransaction>();
export const databases = new WeakMap<object, Db>();

/**
 * Made once for an engine and not for each run: the hot queries are compiled once for each Kysely,
 * and thousands of runs need not do it again.
 */
export function gateQueries({ read }: Db): GatedQueries {
  return { read: interceptQueries(read, readAtGate), tx: interceptQueries(read, executeAtGate) };
}

async function readAtGate<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
  const task = currentTask();
  const fault = await task.scheduler.gate(task, "read", labelOf(query));
  if (fault !== undefined) throw databaseError(fault);
  const db = task.attempt && databases.get(task.attempt.process);
  if (db === undefined) throw new Error(`${task.name} reads outside of any process`);
  return db.read.executeQuery<Row>(query);
}

async function executeAtGate<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
  const task = currentTask();
  const transaction = transactions.get(task);
  if (transaction === undefined) throw new Error("a statement came after its transaction's end");
  if (transaction.failure !== undefined) throw transaction.failure;
  const fault = await task.scheduler.gate(task, "statement", labelOf(query));
  if (fault !== undefined) throw (transaction.failure = databaseError(fault));
  return transaction.tx.executeQuery<Row>(query);
}

export function databaseError(fault: Fault): Error {
  return fault === "database error"
    ? new Error("simulated: the database failed")
    : new DatabaseUnavailable(`simulated: ${fault}`);
}

const labels = new Map<string, string>();

/** `update balances`: enough to follow a run. */
function labelOf({ sql }: CompiledQuery): string {
  let label = labels.get(sql);
  if (label === undefined) {
    const [, verb = "?", table = "?"] =
      /^\s*(\w+)[\s\S]*?(?:from|into|update)?\s+"(\w+)"/.exec(sql) ?? [];
    label = `${verb} ${table}`;
    labels.set(sql, label);
  }
  return label;
}
