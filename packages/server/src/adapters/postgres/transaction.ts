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
import { PostgresConnection, translate } from "./connection.ts";

/** A connection on which statements may still be unsent or unanswered when the work returns. */
export interface TransactionConnection extends DatabaseConnection {
  /** Resets the state of the previous transaction. `begun` is the answer to `begin`, which was sent. */
  begin(begun: Promise<unknown>): void;
  /** Waits for every statement sent, and throws the first error. */
  answered(): Promise<void>;
  /** Sends the statements that are still unsent, with `commit` after them, and returns the command tag of the answer. */
  commit(): Promise<string>;
}

/** A connection that can run several statements in one exchange. */
export type BatchConnection = DatabaseConnection & Pick<PostgresConnection, "executeBatch">;

export type PipelinedWrites = (connection: BatchConnection) => TransactionConnection;

interface Session {
  readonly connection: PostgresConnection;
  readonly pipeline: TransactionConnection | undefined;
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
    const session = this.#sessionOf(client);
    session.connection.begin();
    try {
      const begun = client.query("begin");
      // If it were refused, the statements after it would be committed one by one.
      if (session.pipeline === undefined) await begun;
      else session.pipeline.begin(begun);
      const result = await work(session.tx);
      if (result.ok || result.refusal.commits === true) await commit(client, session);
      else await rollBack(client, session);
      client.release();
      return result;
    } catch (error) {
      await releaseAfter(client, error);
      throw error;
    }
  }

  #sessionOf(client: PoolClient): Session {
    let session = this.#sessions.get(client);
    if (session === undefined) {
      const connection = new PostgresConnection(client, this.#options);
      const pipeline = this.#options.pipelinedWrites?.(connection);
      session = { connection, pipeline, tx: kyselyOver(pipeline ?? connection) };
      this.#sessions.set(client, session);
    }
    return session;
  }
}

/**
 * A statement that the driver rejects never reaches the server, which would commit the others without it. So every
 * statement is answered before `commit` is sent, or leaves in one message with it.
 */
async function commit(client: PoolClient, { connection, pipeline }: Session): Promise<void> {
  await pipeline?.answered();
  if (!connection.canCommit) throw didNotCommit();
  const command = await (pipeline?.commit() ?? commandOf(client.query("commit")));
  // PostgreSQL answers ROLLBACK to the commit of a transaction in which a statement failed.
  if (command !== "COMMIT") throw didNotCommit();
}

async function commandOf(answer: Promise<{ readonly command: string }>): Promise<string> {
  const { command } = await answer;
  return command;
}

/** What is still unsent need not run. */
async function rollBack(client: PoolClient, { pipeline }: Session): Promise<void> {
  const rolledBack = client.query("rollback");
  await pipeline?.answered();
  await rolledBack;
}

async function releaseAfter(client: PoolClient, error: unknown): Promise<void> {
  // Do not wait for a rollback on a connection that did not answer. Closing it also rolls back.
  if (translate(error) instanceof DatabaseUnavailable) return client.release(true);
  await client.query("rollback").then(
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
