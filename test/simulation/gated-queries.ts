import type { CompiledQuery, Kysely, QueryResult } from "kysely";
import { DatabaseUnavailable, type Db } from "#server/ports/db.ts";
import type { Schema } from "#server/ports/schema.ts";
import { interceptQueries } from "#test/intercept-queries.ts";
import type { Fault } from "./faults.ts";
import { currentTask, type Task } from "./scheduler.ts";

/** Queries that stop at a gate of the current task before they run. */
export interface GatedQueries {
  readonly read: Kysely<Schema>;
  readonly tx: Kysely<Schema>;
}

/** A task's current transaction. */
export interface OpenTransaction {
  readonly tx: Kysely<Schema>;
  /** The first failure. Every later statement fails with it, as on a real connection. */
  failure: Error | undefined;
}

export const transactions = new WeakMap<Task, OpenTransaction>();
export const databases = new WeakMap<object, Db>();

/** Created once per engine, so that thousands of runs share the prepared queries that each Kysely compiles. */
export function gateQueries({ read }: Db): GatedQueries {
  return { read: interceptQueries(read, readAtGate), tx: interceptQueries(read, executeAtGate) };
}

/** The last of the queries that a task has started at once. */
const turns = new WeakMap<Task, Promise<unknown>>();

/** Runs queries that a task starts at once one after another. If one fails, so do those that wait behind it. */
function inTurn<T>(task: Task, query: () => Promise<T>): Promise<T> {
  const turn = turns.get(task)?.then(query) ?? query();
  turns.set(task, turn);
  const end = () => {
    if (turns.get(task) === turn) turns.delete(task);
  };
  turn.then(end, end);
  return turn;
}

function readAtGate<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
  const task = currentTask();
  return inTurn(task, () => readOf<Row>(task, query));
}

async function readOf<Row>(task: Task, query: CompiledQuery): Promise<QueryResult<Row>> {
  const fault = await task.scheduler.gate(task, "read", labelOf(query));
  if (fault !== undefined) throw databaseError(fault);
  const db = task.attempt && databases.get(task.attempt.process);
  if (db === undefined) throw new Error(`${task.name} reads outside a service process.`);
  return db.read.executeQuery<Row>(query);
}

function executeAtGate<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
  const task = currentTask();
  return inTurn(task, () => executeOf<Row>(task, query));
}

async function executeOf<Row>(task: Task, query: CompiledQuery): Promise<QueryResult<Row>> {
  const transaction = transactions.get(task);
  if (transaction === undefined) throw new Error("A statement ran after its transaction ended.");
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

/** A short label for the trace, such as `update balances`. */
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
