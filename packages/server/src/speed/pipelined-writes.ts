import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { TransactionConnection } from "#adapters/postgres/transaction.ts";
import type { PreparedQuery } from "#kernel/sql/prepared.ts";

/** Bounds what one transaction holds in memory. */
const maxDepth = 64;

/** The result of a statement that has not been answered yet. */
const unread: QueryResult<never> = { rows: [] };

interface Failure {
  readonly error: unknown;
}

/** Sends statements whose result is not read without waiting for their answers (ADR 16). */
export function pipelinedWrites(connection: DatabaseConnection): TransactionConnection {
  return new PipelinedWrites(connection);
}

/**
 * PostgreSQL runs the statements in order and, once one has failed, refuses all others of the transaction,
 * so nothing happens after a failure. Its error is thrown by the next statement that is awaited, or by the commit.
 */
class PipelinedWrites implements TransactionConnection {
  readonly #connection: DatabaseConnection;
  /** Sent and not yet awaited. These promises never reject. */
  #sent: Promise<Failure | undefined>[] = [];

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const isCommand = (query as Partial<PreparedQuery>).result === "none";
    if (isCommand && this.#sent.length >= maxDepth) await this.settled();
    const answer = this.#connection.executeQuery<Row>(query);
    if (isCommand) {
      this.#sent.push(answer.then(noFailure, failure));
      return unread;
    }
    if (this.#sent.length > 0) await this.settled(answer);
    return answer;
  }

  streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }

  async settled(next?: Promise<unknown>): Promise<void> {
    // If it fails as well, then because of an earlier statement, whose error says more.
    next?.catch(() => {});
    const sent = this.#sent;
    this.#sent = [];
    const first = (await Promise.all(sent)).find((one) => one !== undefined);
    if (first !== undefined) throw first.error;
  }

  begin(): void {
    this.#sent = [];
  }
}

function noFailure(): undefined {
  return undefined;
}

function failure(error: unknown): Failure {
  return { error };
}
