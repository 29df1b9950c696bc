import { DatabaseError, type Pool, type PoolClient, type QueryConfig, type QueryResult } from "pg";
import { DatabaseUnavailable } from "#ports/db.ts";
import { isRetryable, type Queryable } from "./connection.ts";

/** Each conflict means that another transaction made progress, so a few tries suffice. */
const maxTries = 5;

/** Connections for single reads. Each read holds one until it is answered. */
export class ReadPool implements Queryable {
  readonly #pool: Pick<Pool, "connect">;
  /** The maximum number of connections. */
  readonly size: number;

  constructor(pool: Pick<Pool, "connect">, size: number) {
    this.#pool = pool;
    this.size = size;
  }

  async acquire(): Promise<Reader> {
    return new Reader(await this.#pool.connect());
  }

  async query(query: QueryConfig): Promise<QueryResult> {
    const reader = await this.acquire();
    try {
      return await reader.query(query);
    } finally {
      reader.release();
    }
  }
}

/** One connection of the pool. */
export class Reader implements Queryable {
  readonly #client: PoolClient;
  /** Whether the connection failed, rather than the server answering with an error. */
  isBroken = false;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  /**
   * A single read is a transaction of its own, so it can be retried: after a stale plan, and after a
   * conflict with another transaction, which standbys and distributed engines report.
   */
  async query(query: QueryConfig): Promise<QueryResult> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#client.query(tries === 1 ? query : { ...query, name: undefined });
      } catch (error) {
        this.isBroken ||= !(error instanceof DatabaseError);
        if (!isRetryable(error)) throw error;
        if (tries === maxTries) {
          throw new DatabaseUnavailable(
            "the read conflicted with other transactions on every try",
            { cause: error },
          );
        }
      }
    }
  }

  /** Returns the connection to the pool, which closes a broken one. */
  release(): void {
    this.#client.release(this.isBroken);
  }
}
