import type { DatabaseSync } from "node:sqlite";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { ConstraintViolation, DatabaseUnavailable, refuseUnstorable } from "#ports/db.ts";
import type { PreparedQuery } from "#kernel/sql/prepared.ts";
import type { KeptLookUps } from "#speed/row-cache.ts";
import { Statement, type SqlValue } from "./statement.ts";

/** Statements are kept prepared; more different texts than this means that one is built from data. */
const maxStatements = 500;

/** One SQLite connection as Kysely sees it. Every call is synchronous underneath. */
export class SqliteConnection implements DatabaseConnection {
  readonly database: DatabaseSync;
  readonly #prepared = new Map<string, Statement>();
  readonly #onEnd: ((error?: unknown) => void) | undefined;
  readonly #kept: KeptLookUps | undefined;
  #failedStatements = 0;

  /** `onEnd` for single reads; what happens within a write is told by the write. */
  constructor(database: DatabaseSync, onEnd?: (error?: unknown) => void, kept?: KeptLookUps) {
    this.database = database;
    this.#onEnd = onEnd;
    this.#kept = kept;
  }

  get preparedStatements(): number {
    return this.#prepared.size;
  }

  /** How many statements have failed so far, whether SQLite or this class refused them. */
  get failedStatements(): number {
    return this.#failedStatements;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const parameters = query.parameters as SqlValue[];
    try {
      for (const parameter of parameters) refuseUnstorable(parameter);
      const result = this.#execute<Row>(query, parameters);
      this.#onEnd?.();
      return result;
    } catch (error) {
      this.#failedStatements += 1;
      const translated = translate(error);
      this.#onEnd?.(translated);
      throw translated;
    }
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator; nothing streams.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("SQLite queries are not streamed: read a bounded page instead");
  }

  #execute<Row>(query: CompiledQuery, parameters: SqlValue[]): QueryResult<Row> {
    const statement = this.#prepare(query.sql);
    if ((query as Partial<PreparedQuery>).isSingleRow === true) {
      const row = this.#first(statement, parameters);
      return { rows: row === undefined ? [] : [row as Row] };
    }
    if (statement.returnsRows) return { rows: statement.all(parameters) as Row[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters)) };
  }

  #first(statement: Statement, parameters: readonly SqlValue[]): object | undefined {
    return this.#kept === undefined || parameters.length > 1
      ? statement.first(parameters)
      : this.#kept.first(statement, parameters);
  }

  #prepare(sql: string): Statement {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      if (this.#prepared.size >= maxStatements) this.#prepared.clear();
      this.#prepared.set(sql, (statement = new Statement(this.database, sql)));
    }
    return statement;
  }
}

const codes = { busy: 5, locked: 6, ioError: 10, full: 13, cannotOpen: 14, notADatabase: 26 };
const constraints = { check: 275, foreignKey: 787, primaryKey: 1555, trigger: 1811, unique: 2067 };
const outages = [codes.busy, codes.locked, codes.ioError, codes.full, codes.cannotOpen];

/** Turns SQLite's own errors into the ones that the inside knows; others pass as they are. */
export function translate(error: unknown): unknown {
  if (isClosed(error)) return new DatabaseUnavailable("the database is closed", { cause: error });
  const code = sqliteCode(error);
  if (code === undefined || !(error instanceof Error)) return error;
  const detail = error.message.split(": ").at(-1) ?? "";
  if (code === constraints.unique)
    return new ConstraintViolation(uniqueName(detail), { cause: error });
  if (code === constraints.primaryKey) {
    return new ConstraintViolation(`${detail.split(".")[0]}_pkey`, { cause: error });
  }
  if (code === constraints.check) return new ConstraintViolation(detail, { cause: error });
  // A key that restricts deletion is a trigger inside, and only its text tells it from our own.
  const isRestricted = code === constraints.trigger && detail === "FOREIGN KEY constraint failed";
  if (code === constraints.foreignKey || isRestricted) {
    return new ConstraintViolation("foreign_key", { cause: error });
  }
  if (outages.includes(code & 0xff))
    return new DatabaseUnavailable(error.message, { cause: error });
  return error;
}

export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && ((code & 0xff) === codes.busy || (code & 0xff) === codes.locked);
}

function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : undefined;
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_INVALID_STATE";
}

/** `api_keys.account_id, api_keys.name` is `api_keys_account_id_name_unique`, as PostgreSQL names it. */
function uniqueName(detail: string): string {
  // An index over an expression has no columns to tell, so SQLite tells its name.
  const index = /^index '(.+)'$/.exec(detail)?.[1];
  if (index !== undefined) return index;
  const columns = detail.split(", ").map((column) => column.split("."));
  return [columns[0]?.[0], ...columns.map(([, column]) => column), "unique"].join("_");
}
