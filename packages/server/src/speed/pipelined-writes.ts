import type { CompiledQuery, QueryResult } from "kysely";
import type {
  BatchConnection,
  TransactionConnection,
} from "#adapters/postgres/transaction-connection.ts";
import type { BatchQuery, BatchResult } from "#adapters/postgres/connection.ts";
import { didNotCommit } from "#kernel/sql/outcomes.ts";
import type { PreparedQuery } from "#kernel/sql/prepared.ts";

/** Limits the size of a message. */
const maxStatements = 64;

/** The result of a statement that has not been answered yet. */
const unread: QueryResult<never> = { rows: [] };

interface Statement {
  readonly query: BatchQuery;
  /** Undefined if no code waits for the result. */
  readonly answer?: PromiseWithResolvers<BatchResult>;
}

const control = (text: string): BatchQuery => ({ sql: text, parameters: [] });

/**
 * Sends the statements that the code begins before it waits in one message, and those whose result is not read with the
 * next message (ADR 16).
 */
export function pipelinedWrites(connection: BatchConnection): TransactionConnection {
  return new PipelinedWrites(connection);
}

/** A message is sent when the one before it has succeeded, so nothing takes effect after a failure. */
class PipelinedWrites implements TransactionConnection {
  readonly #connection: BatchConnection;
  #unsent: Statement[] = [];
  /** Of this transaction, in the order in which they are sent. */
  #messages: Promise<void>[] = [];

  constructor(connection: BatchConnection) {
    this.#connection = connection;
  }

  async begin(): Promise<void> {
    this.#unsent = [{ query: control("begin") }];
    this.#messages = [];
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const isRead = (query as Partial<PreparedQuery>).result !== "none";
    if (!isRead && this.#unsent.length < maxStatements - 1) {
      this.#unsent.push({ query });
      return unread;
    }
    // At the end of the turn, so that statements that are begun together leave together.
    process.nextTick(() => this.#send());
    return (await this.#answerTo(query)) as QueryResult<Row>;
  }

  async commit(): Promise<string> {
    await Promise.all(this.#messages).catch(() => {
      throw didNotCommit();
    });
    const answer = this.#answerTo(control("commit"));
    this.#send();
    return (await answer).command;
  }

  async rollBack(): Promise<void> {
    this.#unsent = [];
    if (this.#messages.length === 0) return;
    await Promise.allSettled(this.#messages);
    await this.#connection.executeBatch([control("rollback")]);
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>();
  }

  #answerTo(query: BatchQuery): Promise<BatchResult> {
    const answer = Promise.withResolvers<BatchResult>();
    this.#unsent.push({ query, answer });
    return answer.promise;
  }

  #send(): void {
    while (this.#unsent.length > 0) {
      const message = this.#exchange(this.#unsent.splice(0, maxStatements), this.#messages.at(-1));
      // Its statements report the failure.
      message.catch(() => {});
      this.#messages.push(message);
    }
  }

  async #exchange(statements: readonly Statement[], previous?: Promise<void>): Promise<void> {
    try {
      if (previous !== undefined) await previous;
      const results = await this.#connection.executeBatch(statements.map(({ query }) => query));
      for (const [index, result] of results.entries()) statements[index]?.answer?.resolve(result);
    } catch (error) {
      for (const { answer } of statements) answer?.reject(error);
      throw error;
    }
  }
}
