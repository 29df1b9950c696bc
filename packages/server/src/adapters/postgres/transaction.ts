import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Kysely,
} from "kysely";
import type { Pool, PoolClient } from "pg";
import { DatabaseUnavailable, type Tx } from "#ports/db.ts";
import { didNotCommit } from "#kernel/sql/outcomes.ts";
import type { Result } from "#ports/result.ts";
import type { Schema } from "#ports/schema.ts";
import { SingleConnectionKysely } from "#adapters/single-connection-kysely.ts";
import type { PipelinedWrites, TransactionConnection } from "./transaction-connection.ts";
import { AwaitedWrites } from "./awaited-writes.ts";
import { PostgresConnection, translate } from "./connection.ts";

interface Session {
  readonly connection: TransactionConnection;
  readonly tx: Tx;
}

export interface TransactionOptions {
  readonly prepares: boolean;
  /** Without it, every statement is awaited. */
  readonly pipelinedWrites?: PipelinedWrites | undefined;
}

/** Runs each unit of work in its own transaction. */
export class Transactions {
  readonly #pool: Pick<Pool, "connect">;
  readonly #options: TransactionOptions;
  readonly #sessions = new WeakMap<PoolClient, Session>();

  constructor(pool: Pick<Pool, "connect">, options: TransactionOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  /** Commits an ok, or a refusal that `commits`, if every statement succeeded. */
  async run<T>(work: (tx: Tx) => Promise<Result<T>>): Promise<Result<T>> {
    const client = await this.#pool.connect();
    const { connection, tx } = this.#sessionOf(client);
    try {
      await connection.begin();
      const result = await work(tx);
      if (result.ok || result.refusal.commits === true) await commit(connection);
      else await connection.rollBack();
      client.release();
      return result;
    } catch (error) {
      // Do not wait for a rollback on a connection that did not answer. Closing it also rolls back.
      if (translate(error) instanceof DatabaseUnavailable) client.release(true);
      else await releaseRolledBack(client, connection);
      throw error;
    }
  }

  #sessionOf(client: PoolClient): Session {
    let session = this.#sessions.get(client);
    if (session === undefined) {
      const statements = new PostgresConnection(client, this.#options);
      const connection =
        this.#options.pipelinedWrites?.(statements) ?? new AwaitedWrites(statements);
      session = { connection, tx: kyselyOver(connection) };
      this.#sessions.set(client, session);
    }
    return session;
  }
}

async function commit(connection: TransactionConnection): Promise<void> {
  // PostgreSQL answers ROLLBACK to the commit of a transaction in which a statement failed.
  if ((await connection.commit()) !== "COMMIT") throw didNotCommit();
}

async function releaseRolledBack(
  client: PoolClient,
  connection: TransactionConnection,
): Promise<void> {
  await connection.rollBack().then(
    () => client.release(),
    () => client.release(true),
  );
}

export function kyselyOver(connection: DatabaseConnection): Kysely<Schema> {
  return new SingleConnectionKysely(connection, {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  });
}
