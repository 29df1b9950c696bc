import {
  SelectQueryNode,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
} from "kysely";
import type { TransactionConnection } from "#adapters/postgres/transaction.ts";
import type { PreparedQuery } from "#kernel/sql/prepared.ts";

/** Limits the memory of one transaction. */
const maxDepth = 64;

/** The result of a statement that has not been answered yet. */
const unread: QueryResult<never> = { rows: [] };

interface Failure {
  readonly error: unknown;
}

/** Does not wait for the answers of statements whose result is not read (ADR 16). */
export function pipelinedWrites(connection: DatabaseConnection): TransactionConnection {
  return new PipelinedWrites(connection);
}

/**
 * PostgreSQL runs the statements in order and, once one has failed, refuses the rest of the transaction, so
 * nothing takes effect after a failure. The next awaited statement or the commit throws its error.
 */
class PipelinedWrites implements TransactionConnection {
  readonly #connection: DatabaseConnection;
  /** Sent and not yet awaited. These promises never reject. */
  #sent: Promise<Failure | undefined>[] = [];
  #hasBegun = false;
  /** Ends when the statements so far are answered. Until then, those that come wait here, which keeps their order. */
  #barrier: Promise<void> | undefined;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const isCommand = (query as Partial<PreparedQuery>).result === "none";
    const isFull = isCommand && this.#sent.length >= maxDepth;
    if (isFull || (!this.#hasBegun && !isRead(query))) {
      this.#barrier ??= this.settled().finally(() => (this.#barrier = undefined));
    }
    if (this.#barrier !== undefined) await this.#barrier;
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
    // If `next` fails too, an earlier statement is the cause, and its error is the one to throw.
    next?.catch(() => {});
    const sent = this.#sent;
    this.#sent = [];
    const first = (await Promise.all(sent)).find((one) => one !== undefined);
    if (first !== undefined) throw first.error;
    this.#hasBegun = true;
  }

  begin(begun: Promise<unknown>): void {
    this.#sent = [begun.then(noFailure, failure)];
    this.#hasBegun = false;
  }
}

/** Needs no transaction: if `begin` was refused, a read or a lock does no harm outside one. */
function isRead({ query }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) && query.with === undefined;
}

function noFailure(): undefined {
  return undefined;
}

function failure(error: unknown): Failure {
  return { error };
}
