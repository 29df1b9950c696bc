import { performance, type UVMetrics } from "node:perf_hooks";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { CommitSignals } from "#adapters/sqlite/open-sqlite.ts";
import type { Lookup, PreparedQuery } from "#kernel/sql/prepared.ts";

/** Per query. A row takes less than a kilobyte. */
const maxRows = 1_000;

type Result = QueryResult<object>;

/** Caches the rows of lookups until any process commits (ADR 18). */
export function rowCache(
  connection: DatabaseConnection,
  signals: CommitSignals,
): DatabaseConnection {
  return new RowCache(connection, signals);
}

/**
 * Reads `data_version` once for all requests that arrived in one turn of the event loop. They were sent before the
 * read, so each of them sees every commit that finished before it was sent.
 */
class RowCache implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #signals: CommitSignals;
  readonly #results = new Map<Lookup, Map<unknown, Result>>();
  #version: number | undefined;
  /** The turn of the event loop in which the version was read, and how many events came before. */
  #checkedIn: UVMetrics | undefined;

  constructor(connection: DatabaseConnection, signals: CommitSignals) {
    this.#connection = connection;
    this.#signals = signals;
    signals.onCommit(this.#recheck);
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { lookup } = query as Partial<PreparedQuery>;
    if (lookup === undefined) return this.#connection.executeQuery<R>(query);
    return this.#find(query, lookup) as Promise<QueryResult<R>>;
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, chunkSize);
  }

  async #find(query: CompiledQuery, lookup: Lookup): Promise<Result> {
    const now = performance.nodeTiming.uvMetricsInfo;
    const isChecked =
      this.#checkedIn?.loopCount === now.loopCount && this.#checkedIn.events === now.events;
    if (!isChecked) this.#check(now);
    let results = this.#results.get(lookup);
    if (results === undefined) this.#results.set(lookup, (results = new Map<unknown, Result>()));
    const [value] = query.parameters;
    return results.get(value) ?? this.#read(query, value, results);
  }

  /** Stores the row in `results`, which a commit may have removed from the cache in the meantime. */
  async #read(
    query: CompiledQuery,
    value: unknown,
    results: Map<unknown, Result>,
  ): Promise<Result> {
    const result = await this.#connection.executeQuery<object>(query);
    const [row] = result.rows;
    if (row !== undefined) {
      Object.freeze(row);
      Object.freeze(result.rows);
      if (results.size >= maxRows) results.clear();
      results.set(value, result);
    }
    return result;
  }

  readonly #recheck = (): void => {
    this.#checkedIn = undefined;
  };

  #check(now: UVMetrics): void {
    const version = this.#signals.dataVersion();
    if (version !== this.#version) this.#results.clear();
    this.#version = version;
    this.#checkedIn = now;
  }
}
