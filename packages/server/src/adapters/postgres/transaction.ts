import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Kysely,
} from "kysely";
import type { Pool, PoolClient } from "pg";
import { DatabaseUnavailable, didNotCommit, type Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import type { Schema } from "#ports/schema.ts";
import { SingleConnectionKysely } from "#adapters/single-connection-kysely.ts";
import { PostgresConnection, translate } from "./connection.ts";

interface Transactions {
  readonly connection: PostgresConnection;
  readonly tx: Tx;
}

const transactionsOf = new WeakMap<PoolClient, Transactions>();

function transactionsOn(client: PoolClient): Transactions {
  let transactions = transactionsOf.get(client);
  if (transactions === undefined) {
    const connection = new PostgresConnection(client);
    transactions = { connection, tx: kyselyOver(connection) };
    transactionsOf.set(client, transactions);
  }
  return transactions;
}

/** Runs the work in a transaction that commits an ok, or a refusal that `commits`, if every statement succeeded. */
export async function inTransaction<T>(
  pool: Pick<Pool, "connect">,
  work: (tx: Tx) => Promise<Result<T>>,
): Promise<Result<T>> {
  const client = await pool.connect();
  const { connection, tx } = transactionsOn(client);
  connection.begin();
  try {
    // Waited for: were it refused, what follows would be committed statement by statement.
    await client.query("begin");
    const result = await work(tx);
    if (result.ok || result.refusal.commits === true) await commit(client, connection);
    else await rollBack(client, connection);
    client.release();
    return result;
  } catch (error) {
    await giveBack(client, error);
    throw error;
  }
}

/**
 * Waits for the pipeline before it sends `commit`: a statement that the driver rejects never reaches
 * the server, which would commit the others without it.
 */
async function commit(client: PoolClient, connection: PostgresConnection): Promise<void> {
  await connection.settled();
  if (!connection.canCommit) throw didNotCommit();
  const { command } = await client.query("commit");
  // PostgreSQL answers ROLLBACK to the commit of a transaction in which a statement failed.
  if (command !== "COMMIT") throw didNotCommit();
}

async function rollBack(client: PoolClient, connection: PostgresConnection): Promise<void> {
  const rolledBack = client.query("rollback");
  await connection.settled(rolledBack);
  await rolledBack;
}

async function giveBack(client: PoolClient, error: unknown): Promise<void> {
  // A connection that has not answered is not asked again: dropping it undoes the work as well.
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
