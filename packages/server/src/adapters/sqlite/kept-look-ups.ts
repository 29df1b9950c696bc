import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqlValue, Statement } from "./statement.ts";

/** Of each statement. A row takes less than a kilobyte. */
const maxKept = 1_000;

/**
 * Rows that were looked up by something unique, kept until anything at all is committed, by whatever process:
 * until then they say the same. SQLite is asked for that once for all requests that one turn of the event
 * loop brings. Those were under way already when it was asked, so none of them was sent after a commit
 * that it does not see.
 */
export class KeptLookUps {
  readonly #dataVersion: StatementSync;
  readonly #rows = new Map<Statement, Map<SqlValue, object>>();
  #version: number | undefined;
  #isSure = false;

  /** Not of a connection that writes: what it commits itself makes no other version for it. */
  constructor(database: DatabaseSync) {
    this.#dataVersion = database.prepare("pragma data_version");
    this.#dataVersion.setReturnArrays(true);
  }

  /** With the one value that the statement asks for, or none. */
  first(statement: Statement, parameters: readonly SqlValue[]): object | undefined {
    if (!this.#isSure) this.#makeSure();
    let rows = this.#rows.get(statement);
    if (rows === undefined) this.#rows.set(statement, (rows = new Map<SqlValue, object>()));
    const [value = null] = parameters;
    const kept = rows.get(value);
    if (kept !== undefined) return kept;
    const row = statement.first(parameters);
    if (row !== undefined) {
      if (rows.size >= maxKept) rows.clear();
      rows.set(value, Object.freeze(row));
    }
    return row;
  }

  /** Something may have been committed, so SQLite is asked again. */
  readonly doubt = (): void => {
    this.#isSure = false;
  };

  #makeSure(): void {
    const [version] = this.#dataVersion.get() as unknown as [number];
    if (version !== this.#version) this.#rows.clear();
    this.#version = version;
    this.#isSure = true;
    setImmediate(this.doubt);
  }
}
