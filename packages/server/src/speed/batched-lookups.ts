import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { Lookup, PreparedQuery } from "#kernel/sql/prepared.ts";

/** A larger batch would delay the next statement on the connection for too long. */
const maxBatch = 100;

/** Hashes and ids. A value that PostgreSQL rejects would fail the whole batch. */
const isBatchable = /^[\w-]*$/;

type Row = Record<string, unknown>;

interface Batch {
  readonly values: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, Row>>;
  readonly send: () => void;
}

/** Sends the lookups of one turn of the event loop as one statement (ADR 19). */
export function batchedLookups(connection: DatabaseConnection): DatabaseConnection {
  return new BatchedLookups(connection);
}

/**
 * A round trip costs many times as much as a row. A batch is closed before it is sent, so each lookup in it sees
 * every commit that finished before its request arrived.
 */
class BatchedLookups implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #open = new Map<Lookup, Batch>();

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { lookup } = query as Partial<PreparedQuery>;
    if (lookup === undefined) return this.#connection.executeQuery<R>(query);
    const [value = ""] = query.parameters;
    if (typeof value !== "string" || !isBatchable.test(value)) {
      return this.#connection.executeQuery<R>(query);
    }
    return this.#find(query, lookup, value) as Promise<QueryResult<R>>;
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, chunkSize);
  }

  async #find(query: CompiledQuery, lookup: Lookup, value: string): Promise<QueryResult<Row>> {
    const batch = this.#open.get(lookup) ?? this.#begin(query, lookup);
    batch.values.add(value);
    if (batch.values.size >= maxBatch) batch.send();
    const row = (await batch.rows).get(value);
    return { rows: row === undefined ? [] : [row] };
  }

  #begin(query: CompiledQuery, lookup: Lookup): Batch {
    const values = new Set<string>();
    const { promise: rows, resolve } = Promise.withResolvers<ReadonlyMap<string, Row>>();
    const send = () => {
      // A full batch was sent before the turn ended.
      if (this.#open.get(lookup) !== batch) return;
      this.#open.delete(lookup);
      resolve(this.#execute(query, lookup, [...values]));
    };
    const batch: Batch = { values, rows, send };
    this.#open.set(lookup, batch);
    setImmediate(send);
    return batch;
  }

  async #execute(
    query: CompiledQuery,
    lookup: Lookup,
    values: readonly string[],
  ): Promise<ReadonlyMap<string, Row>> {
    const found = new Map<string, Row>();
    const [value, another] = values;
    if (value !== undefined && another === undefined) {
      const { rows } = await this.#connection.executeQuery<Row>(query);
      for (const row of rows) found.set(value, Object.freeze(row));
      return found;
    }
    const { rows } = await this.#connection.executeQuery<Row>({
      ...query,
      sql: batchSql(lookup),
      parameters: [JSON.stringify(values)],
    });
    for (const { sought, ...row } of rows) found.set(String(sought), Object.freeze(row));
    return found;
  }
}

const batchSqls = new WeakMap<Lookup, string>();

/**
 * The limit keeps the planner from joining all values at once, so that it uses the index for each. The values come as
 * JSON, because for a short array PostgreSQL would prefer a custom plan and replan every time.
 */
function batchSql(lookup: Lookup): string {
  let text = batchSqls.get(lookup);
  if (text === undefined) {
    text = `select each.value as sought, found.* from json_array_elements_text($1::json) as each (value) cross join lateral (select * from (${lookup.sqlForEach}) as one limit 1) as found`;
    batchSqls.set(lookup, text);
  }
  return text;
}
