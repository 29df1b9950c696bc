import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { DatabaseError, type CustomTypesConfig, type QueryConfig } from "pg";
import {
  ConstraintViolation,
  DatabaseUnavailable,
  refuseInexactInteger,
  refuseUnstorable,
} from "#ports/db.ts";

/** What a pool and a single client have in common. */
export interface Queryable {
  query(query: QueryConfig): Promise<{ rows: unknown[]; rowCount: number | null; command: string }>;
}

/** Statements are prepared by name; more different texts than this means one is built from data. */
const maxStatements = 500;
const statementNames = new Map<string, string>();
let namesGiven = 0;

/** How much may be on its way before somebody waits for it: a bound on what a transaction holds. */
const maxSent = 64;

/** A client, or whatever does single reads, as Kysely sees it. */
export class PostgresConnection implements DatabaseConnection {
  readonly #target: Queryable;
  readonly #onEnd: ((error?: unknown) => void) | undefined;
  /** Sent, and not waited for yet. Never rejects: its error belongs to whoever waits next. */
  #sent: Promise<SendFailure | undefined>[] = [];
  #unsettled = 0;
  #hasFailed = false;

  /** `onEnd` for single reads; what happens within a write is told by the write. */
  constructor(target: Queryable, onEnd?: (error?: unknown) => void) {
    this.#target = target;
    this.#onEnd = onEnd;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#refuseUnstorable(query);
    const answer = this.#run<Row>(query);
    if (this.#sent.length > 0) await this.settled(answer);
    return answer;
  }

  /**
   * Pipelines a statement behind the last one. PostgreSQL runs them in order and, once one has
   * failed, refuses all the others of the transaction, so nothing happens after a failure.
   */
  async sendQuery(query: CompiledQuery): Promise<void> {
    // Checked here and not when the pipeline settles: the server never hears of this statement, so
    // it would run and commit the ones around it.
    this.#refuseUnstorable(query);
    if (this.#sent.length >= maxSent) await this.settled();
    this.#sent.push(
      this.#run(query).then(
        () => undefined,
        (error: unknown) => ({ error }),
      ),
    );
  }

  /**
   * Waits for what was sent, and throws what went wrong first. `next` was sent after it: when both
   * fail, it failed only because of what was sent before.
   */
  async settled(next?: Promise<unknown>): Promise<void> {
    next?.catch(() => {});
    const sent = this.#sent;
    this.#sent = [];
    const failure = (await Promise.all(sent)).find((one) => one !== undefined);
    if (failure !== undefined) throw failure.error;
  }

  /** Whether every statement of the transaction has succeeded. Only then may `commit` be sent. */
  get canCommit(): boolean {
    return !this.#hasFailed && this.#unsettled === 0;
  }

  /** For the next transaction: what the last one left behind is nobody's any more. */
  begin(): void {
    this.#sent = [];
    this.#unsettled = 0;
    this.#hasFailed = false;
  }

  #refuseUnstorable({ parameters }: CompiledQuery): void {
    try {
      for (const value of parameters) refuseUnstorable(value);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  async #run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = named(query.sql);
    this.#unsettled += 1;
    try {
      const result = await this.#target.query({ ...statement, values: [...query.parameters] });
      this.#onEnd?.();
      return { rows: result.rows as Row[], numAffectedRows: BigInt(result.rowCount ?? 0) };
    } catch (error) {
      this.#hasFailed = true;
      if (isStalePlan(error)) forget(statement);
      const translated = translate(error);
      this.#onEnd?.(translated);
      throw translated;
    } finally {
      this.#unsettled -= 1;
    }
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator; nothing streams.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("queries are not streamed: read a bounded page instead");
  }
}

interface SendFailure {
  readonly error: unknown;
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

/** Under a new name it is prepared again, on every connection that still has the old one. */
function forget({ text, name }: Statement): void {
  if (statementNames.get(text) === name) statementNames.delete(text);
}

const int8 = 20;
const numeric = 1700;
const wideTypes: readonly number[] = [int8, numeric];

/** Wide integers arrive as text; one that a JavaScript number cannot hold exactly is refused. */
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
 * PostgreSQL errors that say the server is away, starting, stopping, full, a standby that only
 * reads, or too slow for the time a statement has. 40003 says that nobody knows whether the statement
 * was completed, which is what a lost answer to a commit says.
 */
const outages = /^(?:08|25006|40003|53|57014|57P|58)/;

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
  return outages.test(code) ? unavailable(error) : error;
}

/** The transaction lost against another one and has left nothing: running it again is right. */
export function isRetryable(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    (error.code === codes.serialization || error.code === codes.deadlock || isStalePlan(error))
  );
}

/** Another process migrated a table under a statement that was prepared before. */
function isStalePlan(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    error.code === codes.featureNotSupported &&
    error.message.includes("cached plan")
  );
}

/** Two processes that create the same table at once: one of them is told so in one of these ways. */
export function isCreationRace(error: unknown): boolean {
  const told = [codes.unique, codes.duplicateTable, codes.duplicateObject];
  return error instanceof DatabaseError && told.includes(error.code ?? "");
}

/** The driver reports a lost or refused connection as a plain error with a system code or none. */
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

function unavailable(error: unknown): DatabaseUnavailable {
  return new DatabaseUnavailable("PostgreSQL does not answer", { cause: error });
}
