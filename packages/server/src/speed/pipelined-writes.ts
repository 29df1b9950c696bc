import { SelectQueryNode, type CompiledQuery, type QueryResult } from "kysely";
import type { BatchConnection, TransactionConnection } from "#adapters/postgres/transaction.ts";
import type { PreparedQuery } from "#kernel/sql/prepared.ts";

/** Limits the memory of one transaction. */
const maxDepth = 64;

const commit = { sql: "commit", parameters: [] };

/** The result of a statement that has not been answered yet. */
const unread: QueryResult<never> = { rows: [] };

interface Failure {
  readonly error: unknown;
}

/** Sends statements whose result is not read with the next one that is awaited, or with `commit` (ADR 16). */
export function pipelinedWrites(connection: BatchConnection): TransactionConnection {
  return new PipelinedWrites(connection);
}

/**
 * PostgreSQL runs the statements in order and, once one has failed, refuses the rest of the transaction, so
 * nothing takes effect after a failure. The next awaited statement or the commit throws its error.
 */
class PipelinedWrites implements TransactionConnection {
  readonly #connection: BatchConnection;
  #unsent: CompiledQuery[] = [];
  /** Sent and not yet awaited. These promises never reject. */
  #sent: Promise<Failure | undefined>[] = [];
  #hasBegun = false;
  /** Ends when the statements so far are answered. Until then, those that come wait here, which keeps their order. */
  #barrier: Promise<void> | undefined;

  constructor(connection: BatchConnection) {
    this.#connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if ((query as Partial<PreparedQuery>).result === "none") {
      this.#unsent.push(query);
      if (this.#unsent.length >= maxDepth) await this.#flush();
      return unread;
    }
    if (!this.#hasBegun && ![...this.#unsent, query].every(isRead)) {
      this.#barrier ??= this.answered().finally(() => (this.#barrier = undefined));
    }
    if (this.#barrier !== undefined) await this.#barrier;
    this.#send();
    const answer = this.#connection.executeQuery<Row>(query);
    if (this.#sent.length > 0) await this.answered(answer);
    return answer;
  }

  streamQuery<Row>(
    query: CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, chunkSize);
  }

  async answered(next?: Promise<unknown>): Promise<void> {
    // If `next` fails too, an earlier statement is the cause, and its error is the one to throw.
    next?.catch(() => {});
    const sent = this.#sent;
    this.#sent = [];
    const first = (await Promise.all(sent)).find((one) => one !== undefined);
    if (first !== undefined) throw first.error;
    this.#hasBegun = true;
  }

  async commit(): Promise<string> {
    const last = this.#unsent;
    this.#unsent = [];
    return this.#connection.executeBatch([...last, commit]);
  }

  begin(begun: Promise<unknown>): void {
    this.#unsent = [];
    this.#sent = [begun.then(noFailure, failure)];
    this.#hasBegun = false;
  }

  #send(): void {
    if (this.#unsent.length === 0) return;
    const batch = this.#connection.executeBatch(this.#unsent);
    this.#unsent = [];
    this.#sent.push(batch.then(noFailure, failure));
  }

  async #flush(): Promise<void> {
    if (!this.#hasBegun) await this.answered();
    this.#send();
    await this.answered();
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
