import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { DatabaseError, type CustomTypesConfig, type QueryConfig } from "pg";
import { ConstraintViolation, DatabaseUnavailable } from "#ports/db.ts";
import { Batch, type BatchStatement } from "./batch.ts";
import { refuseInexactInteger, refuseUnstorable } from "#kernel/sql/storable.ts";
import type { PreparedQuery } from "#kernel/sql/prepared.ts";

/** The method of the driver that pools and single clients share. */
export interface Queryable {
  query(query: QueryConfig): Promise<{ rows: unknown[]; rowCount: number | null; command: string }>;
}

/** Beyond this many distinct texts, statements are not prepared: so many mean that a text is built from data. */
const maxStatements = 500;
const statementNames = new Map<string, string>();
let namesGiven = 0;

export interface PostgresConnectionOptions {
  /** Whether statements are prepared once for each connection. */
  readonly prepares: boolean;
  /** For single reads; a write reports its own outcome. */
  readonly onEnd?: (error?: unknown) => void;
}

/** A statement of a batch. */
export type BatchQuery = Pick<CompiledQuery, "sql" | "parameters"> &
  Partial<Pick<PreparedQuery, "result">>;

/** A result with the command tag, such as `COMMIT`. */
export type BatchResult = QueryResult<unknown> & { readonly command: string };

/** Kysely's view of a client, or of the pool for single reads. */
export class PostgresConnection implements DatabaseConnection {
  readonly #target: Queryable;
  readonly #prepares: boolean;
  readonly #onEnd: ((error?: unknown) => void) | undefined;
  /** The statements that batches have prepared, and none that may not exist. */
  readonly #prepared = new Set<string>();

  constructor(target: Queryable, { prepares, onEnd }: PostgresConnectionOptions) {
    this.#target = target;
    this.#prepares = prepares;
    this.#onEnd = onEnd;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    for (const value of query.parameters) refuseUnstorable(value);
    const statement = this.#prepares ? named(query.sql) : { text: query.sql };
    try {
      const result = await this.#target.query({ ...statement, values: [...query.parameters] });
      this.#onEnd?.();
      return resultOf<Row>(result);
    } catch (error) {
      if (isStalePlan(error)) forget(statement);
      const translated = translate(error);
      this.#onEnd?.(translated);
      throw translated;
    }
  }

  /** Runs statements in one exchange and in their order. After one that fails, PostgreSQL skips the others. */
  async executeBatch(queries: readonly BatchQuery[]): Promise<readonly BatchResult[]> {
    for (const { parameters } of queries) for (const value of parameters) refuseUnstorable(value);
    const batch = new Batch(queries.map((query) => this.#batchStatement(query)));
    try {
      void this.#target.query(batch);
      const results = await batch.results;
      return results.map((result) => ({ ...resultOf(result), command: result.command }));
    } catch (error) {
      this.#prepared.clear();
      throw translate(error);
    }
  }

  /** Prepared under a name of its own, because the driver keeps account of those that it has prepared. */
  #batchStatement({ sql, parameters, result }: BatchQuery): BatchStatement {
    const values = parameters as BatchStatement["values"];
    const isRead = result !== "none";
    const name = this.#prepares ? named(sql).name : undefined;
    if (name === undefined) return { text: sql, values, isPrepared: false, isRead };
    const isPrepared = this.#prepared.has(name);
    this.#prepared.add(name);
    return { text: sql, name: `batched_${name}`, values, isPrepared, isRead };
  }

  // oxlint-disable-next-line require-yield -- the interface requires a generator, but nothing streams.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("queries are not streamed: read a bounded page instead");
  }
}

type Answer = Awaited<ReturnType<Queryable["query"]>>;

function resultOf<Row>({ rows, rowCount }: Answer): QueryResult<Row> {
  return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
}

interface Statement {
  readonly text: string;
  readonly name?: string;
}

function named(text: string): Statement {
  let name = statementNames.get(text);
  if (name === undefined) {
    if (statementNames.size >= maxStatements) return { text };
    namesGiven += 1;
    name = `s${namesGiven}`;
    statementNames.set(text, name);
  }
  return { text, name };
}

/** Makes every connection prepare the statement again, under a new name. */
function forget({ text, name }: Statement): void {
  if (statementNames.get(text) === name) statementNames.delete(text);
}

const int8 = 20;
const numeric = 1700;
const wideTypes: readonly number[] = [int8, numeric];

/** Wide integers arrive as text. Throws for one that a JavaScript number cannot hold exactly. */
export function typesWith(defaults: CustomTypesConfig): CustomTypesConfig {
  return {
    getTypeParser: (oid, format): unknown =>
      wideTypes.includes(oid) ? exactInteger : defaults.getTypeParser(oid, format),
  };
}

function exactInteger(text: string): number {
  const value = Number(text);
  refuseInexactInteger(value);
  return value;
}

const codes = {
  unique: "23505",
  check: "23514",
  foreignKey: "23503",
  restricted: "23001",
  featureNotSupported: "0A000",
  serialization: "40001",
  deadlock: "40P01",
  duplicateTable: "42P07",
  duplicateObject: "42710",
};

/**
 * The server is unreachable, starting, stopping, full, a read-only standby, or slower than the statement timeout.
 * 40003 means that the outcome is unknown, as after a commit whose answer was lost. 25P03 and 25P04 mean that it ended
 * the connection of a transaction that took too long, which left nothing behind.
 */
const outages = /^(?:08|25006|25P0[34]|40003|53|57014|57P|58)/;
const readOnly = "25006";

export function translate(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) {
    return isConnectionError(error) ? unavailable(error) : error;
  }
  const { code = "", constraint = "" } = error;
  if (code === codes.unique || code === codes.check) {
    return new ConstraintViolation(constraint, { cause: error });
  }
  if (code === codes.foreignKey || code === codes.restricted) {
    return new ConstraintViolation("foreign_key", { cause: error });
  }
  if (code === readOnly) return unavailable(error, "PostgreSQL is a read-only standby");
  return outages.test(code) ? unavailable(error) : error;
}

/** The transaction lost a conflict and left nothing behind, so it can be retried. */
export function isRetryable(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    (error.code === codes.serialization || error.code === codes.deadlock || isStalePlan(error))
  );
}

/** Another process has migrated a table since the statement was prepared. */
function isStalePlan(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    error.code === codes.featureNotSupported &&
    error.message.includes("cached plan")
  );
}

/** Two processes tried to create the same table at once; the loser gets one of these errors. */
export function isCreationRace(error: unknown): boolean {
  const lost = [codes.unique, codes.duplicateTable, codes.duplicateObject];
  return error instanceof DatabaseError && lost.includes(error.code ?? "");
}

/** The driver reports a lost or refused connection as a plain error, with or without a system code. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/.test(code) ||
    /connection terminated|timeout (?:exceeded|expired)|read timeout|was closed|not queryable|after calling end/i.test(
      error.message,
    )
  );
}

function unavailable(error: unknown, what = "PostgreSQL does not answer"): DatabaseUnavailable {
  return new DatabaseUnavailable(what, { cause: error });
}
