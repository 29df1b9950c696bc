import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { ConstraintViolation, DatabaseUnavailable } from "#ports/db.ts";
import { refuseUnstorable } from "#kernel/sql/storable.ts";
import type { PreparedQuery } from "#kernel/sql/prepared.ts";
import { Statement, type SqlValue } from "./statement.ts";

/** The cache of prepared statements is emptied at this size: more distinct texts mean that one is built from data. */
const maxStatements = 500;

/** Kysely's view of one SQLite connection. Every call is synchronous underneath. */
export class SqliteConnection implements DatabaseConnection {
  readonly database: DatabaseSync;
  readonly #prepared = new Map<string, Statement>();
  readonly #onEnd: ((error?: unknown) => void) | undefined;
  #dataVersion: StatementSync | undefined;
  #failedStatements = 0;

  /** `onEnd` is for single reads; a write reports its own outcome. */
  constructor(database: DatabaseSync, onEnd?: (error?: unknown) => void) {
    this.database = database;
    this.#onEnd = onEnd;
  }

  get preparedStatements(): number {
    return this.#prepared.size;
  }

  /** How many statements have failed so far, whether SQLite or this class refused them. */
  get failedStatements(): number {
    return this.#failedStatements;
  }

  /** Changes whenever another connection commits; commits of this connection do not change it. */
  dataVersion(): number {
    try {
      if (this.#dataVersion === undefined) {
        this.#dataVersion = this.database.prepare("pragma data_version");
        this.#dataVersion.setReturnArrays(true);
      }
      const [version] = this.#dataVersion.get() as unknown as [number];
      return version;
    } catch (error) {
      const translated = translate(error);
      this.#onEnd?.(translated);
      throw translated;
    }
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

  // oxlint-disable-next-line require-yield -- the interface requires a generator, but nothing streams.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("SQLite queries are not streamed: read a bounded page instead");
  }

  #execute<Row>(query: CompiledQuery, parameters: SqlValue[]): QueryResult<Row> {
    const statement = this.#prepare(query.sql);
    if ((query as Partial<PreparedQuery>).result === "one") {
      const row = statement.first(parameters);
      return { rows: row === undefined ? [] : [row as Row] };
    }
    if (statement.returnsRows) return { rows: statement.all(parameters) as Row[] };
    return { rows: [], numAffectedRows: BigInt(statement.run(parameters)) };
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

/** Translates SQLite's errors into those of the database port; others pass unchanged. */
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
  // SQLite implements a restricting foreign key as a trigger; only the text distinguishes it from our triggers.
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
  // For an index over an expression, which has no columns, SQLite reports the name of the index.
  const index = /^index '(.+)'$/.exec(detail)?.[1];
  if (index !== undefined) return index;
  const columns = detail.split(", ").map((column) => column.split("."));
  return [columns[0]?.[0], ...columns.map(([, column]) => column), "unique"].join("_");
}
