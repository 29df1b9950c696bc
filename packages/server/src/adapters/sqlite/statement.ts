import type { DatabaseSync, StatementSync } from "node:sqlite";

export type SqlValue = string | number | null;

/**
 * A prepared statement that builds its row objects from arrays. V8 gives each object that node:sqlite builds a hidden
 * class of its own, which defeats inline caches.
 */
export class Statement {
  readonly #statement: StatementSync;
  #columns: readonly string[];

  constructor(database: DatabaseSync, sql: string) {
    this.#statement = database.prepare(sql);
    this.#statement.setReturnArrays(true);
    this.#columns = namesOf(this.#statement);
  }

  get returnsRows(): boolean {
    return this.#columns.length > 0;
  }

  /** Returns how many rows it changed. */
  run(parameters: readonly SqlValue[]): number | bigint {
    return this.#statement.run(...parameters).changes;
  }

  first(parameters: readonly SqlValue[]): object | undefined {
    const values = this.#statement.get(...parameters);
    return values === undefined ? undefined : this.#row(values);
  }

  all(parameters: readonly SqlValue[]): object[] {
    return this.#statement.all(...parameters).map((values) => this.#row(values));
  }

  #row(given: unknown): object {
    const values = given as readonly SqlValue[];
    // Another process added a column to the table, and SQLite prepared the statement again.
    if (values.length !== this.#columns.length) this.#columns = namesOf(this.#statement);
    const columns = this.#columns;
    const row: Record<string, SqlValue> = {};
    for (let at = 0; at < columns.length; at += 1) row[columns[at] ?? ""] = values[at] ?? null;
    return row;
  }
}

function namesOf(statement: StatementSync): readonly string[] {
  return statement.columns().map(({ name }) => name);
}
