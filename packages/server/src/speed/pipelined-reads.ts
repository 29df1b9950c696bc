import { DatabaseError, type Pool, type PoolClient, type QueryConfig, type QueryResult } from "pg";
import { DatabaseUnavailable } from "#ports/db.ts";
import { isRetryable, type Queryable } from "#adapters/postgres/connection.ts";

/** Where a connection is free, more on one would save little and wait longer for a slow one. */
const maxShared = 8;

/** Each lost try means that another transaction got further, so a few are plenty. */
const maxTries = 5;

interface Reader {
  readonly client: Promise<PoolClient>;
  underWay: number;
  isBroken: boolean;
}

/**
 * Single reads. Those that come while others are under way are sent on the same connection without
 * waiting for an answer, which spares both ends most of what a round trip costs. A connection goes
 * back to the pool as soon as nothing is under way on it.
 */
export class SharedReads implements Queryable {
  readonly #pool: Pool;
  readonly #maxReaders: number;
  readonly #readers = new Set<Reader>();

  /** The pool is for these reads alone, so a reader never waits for a connection to become free. */
  constructor(pool: Pool, poolSize: number) {
    this.#pool = pool;
    this.#maxReaders = poolSize;
  }

  async query(query: QueryConfig): Promise<QueryResult> {
    const reader = this.#reader();
    reader.underWay += 1;
    try {
      const client = await reader.client;
      return await this.#ask(client, query);
    } catch (error) {
      // What the server itself says, it says on a connection that goes on.
      reader.isBroken ||= !(error instanceof DatabaseError || error instanceof DatabaseUnavailable);
      throw error;
    } finally {
      reader.underWay -= 1;
      // A broken one takes nothing new, and what is under way on it fails by itself.
      if (reader.isBroken) this.#readers.delete(reader);
      if (reader.underWay === 0) await this.#giveBack(reader);
    }
  }

  /**
   * A single read is a transaction of its own, so nothing is lost by asking again: after a stale plan,
   * and after a conflict with another transaction, which a standby and distributed engines report.
   */
  async #ask(client: PoolClient, query: QueryConfig): Promise<QueryResult> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await client.query(tries === 1 ? query : { ...query, name: undefined });
      } catch (error) {
        if (!isRetryable(error)) throw error;
        if (tries === maxTries) {
          throw new DatabaseUnavailable("the read lost against others every time", {
            cause: error,
          });
        }
      }
    }
  }

  #reader(): Reader {
    let idlest: Reader | undefined;
    for (const reader of this.#readers) {
      if (reader.underWay < maxShared) return reader;
      if (idlest === undefined || reader.underWay < idlest.underWay) idlest = reader;
    }
    if (idlest !== undefined && this.#readers.size >= this.#maxReaders) return idlest;
    const reader = { client: this.#pool.connect(), underWay: 0, isBroken: false };
    this.#readers.add(reader);
    return reader;
  }

  async #giveBack(reader: Reader): Promise<void> {
    this.#readers.delete(reader);
    const client = await reader.client.catch(() => undefined);
    client?.release(reader.isBroken);
  }
}
