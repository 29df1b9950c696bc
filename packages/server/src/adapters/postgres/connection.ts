import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { DatabaseError, type CustomTypesConfig, type QueryConfig } from "pg";
import { ConstraintViolation, DatabaseUnavailable, refuseInexactInteger } from "../../ports/db.ts";

/** What a pool and a single client have in common. */
export interface Queryable {
  query(query: QueryConfig): Promise<{ rows: unknown[]; rowCount: number | null; command: string }>;
}

/** Statements are prepared by name; more different texts than this means one is built from data. */
const maxStatements = 500;
const statementNames = new Map<string, string>();

/** A client, or the pool itself for single reads, as Kysely sees it. */
export class PostgresConnection implements DatabaseConnection {
  readonly #target: Queryable;

  constructor(target: Queryable) {
    this.#target = target;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const values = [...query.parameters];
    values.forEach(refuseInexactInteger);
    try {
      const result = await this.#target.query({ ...named(query.sql), values });
      return { rows: result.rows as Row[], numAffectedRows: BigInt(result.rowCount ?? 0) };
    } catch (error) {
      throw translate(error);
    }
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator; nothing streams.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("queries are not streamed: read a bounded page instead");
  }
}

function named(text: string): { text: string; name?: string } {
  let name = statementNames.get(text);
  if (name === undefined) {
    if (statementNames.size >= maxStatements) return { text };
    name = `s${statementNames.size}`;
    statementNames.set(text, name);
  }
  return { text, name };
}

const int8 = 20;
const numeric = 1700;

/** Wide integers arrive as text; one that a JavaScript number cannot hold exactly is refused. */
export function typesWith(defaults: CustomTypesConfig): CustomTypesConfig {
  const exactInteger = (text: string) => {
    const value = Number(text);
    refuseInexactInteger(value);
    return value;
  };
  return {
    getTypeParser: (oid, format) =>
      oid === int8 || oid === numeric ? exactInteger : defaults.getTypeParser(oid, format),
  };
}

const codes = {
  unique: "23505",
  check: "23514",
  foreignKey: "23503",
  serialization: "40001",
  deadlock: "40P01",
};

/** Classes of PostgreSQL errors that say the server is away, starting, stopping or full. */
const outages = /^(?:08|53|57P|58)/;

export function translate(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) {
    return isConnectionError(error) ? unavailable(error) : error;
  }
  const { code = "", constraint = "" } = error;
  if (code === codes.unique || code === codes.check) {
    return new ConstraintViolation(constraint, { cause: error });
  }
  if (code === codes.foreignKey) return new ConstraintViolation("foreign_key", { cause: error });
  return outages.test(code) ? unavailable(error) : error;
}

/** The transaction lost against another one and has left nothing: running it again is right. */
export function isRetryable(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    (error.code === codes.serialization || error.code === codes.deadlock)
  );
}

/** Two processes that create the same table at once: one of them is told so in one of these ways. */
export function isCreationRace(error: unknown): boolean {
  return error instanceof DatabaseError && [codes.unique, "42P07"].includes(error.code ?? "");
}

/** The driver reports a lost or refused connection as a plain error with a system code or none. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/.test(code) ||
    /connection terminated|timeout exceeded when trying to connect|client was closed|not queryable/i.test(
      error.message,
    )
  );
}

function unavailable(error: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable("PostgreSQL does not answer", { cause: error });
}
