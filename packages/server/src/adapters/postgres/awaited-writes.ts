import type { CompiledQuery, QueryResult } from "kysely";
import { didNotCommit } from "#kernel/sql/outcomes.ts";
import type { PostgresConnection } from "./connection.ts";
import type { TransactionConnection } from "./transaction-connection.ts";

/** Awaits every statement. */
export class AwaitedWrites implements TransactionConnection {
  readonly #connection: PostgresConnection;
  #unsettled = 0;
  #hasFailed = false;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  async begin(): Promise<void> {
    this.#unsettled = 0;
    this.#hasFailed = false;
    // If it were refused, the statements after it would be committed one by one.
    await this.#control("begin");
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    this.#unsettled += 1;
    try {
      return await this.#connection.executeQuery<Row>(query);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    } finally {
      this.#unsettled -= 1;
    }
  }

  /** The server would commit without a statement that the driver rejected, because that one never reached it. */
  async commit(): Promise<string> {
    if (this.#hasFailed || this.#unsettled > 0) throw didNotCommit();
    return this.#control("commit");
  }

  async rollBack(): Promise<void> {
    await this.#control("rollback");
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>();
  }

  async #control(text: string): Promise<string> {
    const [result] = await this.#connection.executeBatch([{ sql: text, parameters: [] }]);
    return result?.command ?? "";
  }
}
