import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { PreparedQuery } from "#kernel/sql/prepared.ts";

/** More at once would keep the connection, and whoever comes next on it, for too long. */
const maxGathered = 100;

/** Hashes and identifiers. Nothing that the database could refuse, and with it everybody else's. */
const isGatherable = /^[\w-]*$/;

type Row = Record<string, unknown>;

/** What is to be looked up with one statement. */
interface Gathering {
  readonly values: Set<string>;
  readonly rows: Promise<ReadonlyMap<string, Row>>;
  readonly send: () => void;
}

/**
 * Look-ups by something unique, such as who is asking: all that one turn of the event loop brings are asked for
 * in one statement, since the way there and back costs many times what a row does. They are asked for after
 * their requests have come, so each of them sees every commit from before.
 */
export class GatheredLookUps implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #gatherings = new Map<string, Gathering>();
  readonly #forMany = new Map<string, string>();

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const value = soughtBy(query);
    if (value === undefined) return this.#connection.executeQuery<R>(query);
    return this.#first(query, value) as Promise<QueryResult<R>>;
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#connection.streamQuery<R>(query, chunkSize);
  }

  async #first(query: CompiledQuery, value: string): Promise<QueryResult<Row>> {
    const gathering = this.#gatherings.get(query.sql) ?? this.#gather(query);
    gathering.values.add(value);
    if (gathering.values.size >= maxGathered) gathering.send();
    const row = (await gathering.rows).get(value);
    return { rows: row === undefined ? [] : [row] };
  }

  #gather(query: CompiledQuery): Gathering {
    const values = new Set<string>();
    const { promise: rows, resolve } = Promise.withResolvers<ReadonlyMap<string, Row>>();
    const send = () => {
      // It may have become full before the turn was over.
      if (this.#gatherings.get(query.sql) !== gathering) return;
      this.#gatherings.delete(query.sql);
      resolve(this.#find(query, [...values]));
    };
    const gathering: Gathering = { values, rows, send };
    this.#gatherings.set(query.sql, gathering);
    setImmediate(send);
    return gathering;
  }

  async #find(query: CompiledQuery, values: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const found = new Map<string, Row>();
    const [value, another] = values;
    if (value !== undefined && another === undefined) {
      const { rows } = await this.#connection.executeQuery<Row>(query);
      for (const row of rows) found.set(value, Object.freeze(row));
      return found;
    }
    const sql = this.#forManyOf(query.sql);
    const parameters = [JSON.stringify(values)];
    const { rows } = await this.#connection.executeQuery<Row>({ ...query, sql, parameters });
    for (const { sought, ...row } of rows) found.set(String(sought), Object.freeze(row));
    return found;
  }

  /**
   * Each value is looked up as one alone would be; the limit keeps the planner from joining all of them at once.
   * They come as JSON because it would count the elements of an array, and plan anew for every few of them.
   */
  #forManyOf(sql: string): string {
    let forMany = this.#forMany.get(sql);
    if (forMany === undefined) {
      const one = sql.replace("$1", "each.sought");
      forMany = `select each.sought, found.* from json_array_elements_text($1::json) as each (sought) cross join lateral (select * from (${one}) as one limit 1) as found`;
      this.#forMany.set(sql, forMany);
    }
    return forMany;
  }
}

/** Undefined where a query is no look-up, or one that goes alone; empty where there is only one such row. */
function soughtBy(query: CompiledQuery): string | undefined {
  if ((query as Partial<PreparedQuery>).isSingleRow !== true) return undefined;
  const [value = "", another] = query.parameters;
  const isAlone = another !== undefined || typeof value !== "string";
  return isAlone || !isGatherable.test(value) ? undefined : value;
}
