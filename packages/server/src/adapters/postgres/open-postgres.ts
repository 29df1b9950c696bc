import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";
import pg, { type PoolClient } from "pg";
import { refusalFor, type Db, type SqlDialect, type Tx } from "../../ports/db.ts";
import { pendingSteps, type AppliedStep } from "../../ports/migrations.ts";
import type { Refusal, Result } from "../../ports/result.ts";
import type { Schema } from "../../ports/schema.ts";
import { driverOver } from "../single-connection-driver.ts";
import { isCreationRace, isRetryable, PostgresConnection, translate, typesWith } from "./connection.ts";

const dialect: SqlDialect = { engine: "postgres", integer: "bigint", strict: "" };

const maxAttempts = 12;
const connectMs = 5_000;
const statementMs = 30_000;

export interface PostgresOptions {
  readonly url: string;
  readonly poolSize: number;
  /** A pooled connection broke while idle; the pool replaces it, the log should know. */
  readonly onIdleError: (error: Error) => void;
}

/** Connects and checks the server's durability settings, or throws saying what is off. */
export async function openPostgres(options: PostgresOptions): Promise<Db> {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementMs,
    application_name: "ironlease",
    types: typesWith(pg.types),
  });
  pool.on("error", options.onIdleError);
  try {
    await refuseUnsafeDurability(pool);
  } catch (error) {
    await pool.end();
    throw translate(error);
  }
  const read = kyselyOver(new PostgresConnection(pool));
  const kyselyFor = new WeakMap<PoolClient, Kysely<Schema>>();

  const inTransaction = async <T>(work: (tx: Tx) => Promise<Result<T>>): Promise<Result<T>> => {
    const client = await pool.connect();
    let tx = kyselyFor.get(client);
    if (tx === undefined) kyselyFor.set(client, (tx = kyselyOver(new PostgresConnection(client))));
    try {
      await client.query("begin");
      const result = await work(tx);
      const end = await client.query(result.ok ? "commit" : "rollback");
      // PostgreSQL answers ROLLBACK to the commit of a transaction in which a statement failed.
      if (result.ok && end.command !== "COMMIT") throw new Error("the transaction did not commit");
      client.release();
      return result;
    } catch (error) {
      await client.query("rollback").then(
        () => client.release(),
        (broken: Error) => client.release(broken),
      );
      throw error;
    }
  };

  return {
    engine: "postgres",
    read,
    write: (work, violations) => writeWithRetry(() => inTransaction(work), violations),
    migrate: (steps, now) => migrate(pool, steps, now),
    pending: async (steps) =>
      pendingSteps(steps, dialect, await appliedSteps(pool)).map((step) => step.name),
    ping: async () => {
      await sql`select 1`.execute(read);
    },
    close: () => pool.end(),
  };
}

async function writeWithRetry<T>(
  attempt: () => Promise<Result<T>>,
  violations: Readonly<Record<string, Refusal>> | undefined,
): Promise<Result<T>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const refusal = refusalFor(error, violations);
      if (refusal !== undefined) return { ok: false, refusal };
      if (!isRetryable(error) || tries === maxAttempts) throw translate(error);
    }
    await new Promise((resolve) => setTimeout(resolve, 2 ** Math.min(tries, 7) * Math.random()));
  }
}

async function refuseUnsafeDurability(pool: pg.Pool): Promise<void> {
  // A distributed engine that speaks PostgreSQL may not know a setting; it answers null, not off.
  const { rows } = await pool.query<Record<string, string | null>>(
    `select current_setting('fsync', true) as fsync,
            current_setting('synchronous_commit', true) as synchronous_commit`,
  );
  for (const [setting, value] of Object.entries(rows[0] ?? {})) {
    if (value === "off") {
      throw new Error(
        `PostgreSQL runs with ${setting} = off, so an acknowledged order could be lost: switch it on`,
      );
    }
  }
}

async function migrate(
  pool: pg.Pool,
  steps: Parameters<Db["migrate"]>[0],
  now: number,
): Promise<readonly string[]> {
  await createMigrationTables(pool);
  const client = await pool.connect();
  try {
    await client.query("begin");
    // A row lock and no advisory one, which distributed engines do not have.
    await client.query("select id from schema_lock where id = 1 for update");
    const pending = pendingSteps(steps, dialect, await appliedSteps(client));
    for (const step of pending) {
      for (const statement of step.statements) await client.query(statement);
      await client.query("insert into schema_migrations values ($1, $2, $3)", [
        step.name,
        step.digest,
        now,
      ]);
    }
    await client.query("commit");
    client.release();
    return pending.map((step) => step.name);
  } catch (error) {
    client.release(true);
    throw translate(error);
  }
}

async function appliedSteps(target: pg.Pool | PoolClient): Promise<readonly AppliedStep[]> {
  const table = await target.query("select 1 from pg_tables where tablename = 'schema_migrations'");
  if (table.rowCount === 0) return [];
  return (await target.query<AppliedStep>("select name, digest from schema_migrations")).rows;
}

async function createMigrationTables(pool: pg.Pool): Promise<void> {
  const statements = [
    "create table if not exists schema_lock (id integer primary key)",
    "insert into schema_lock values (1) on conflict do nothing",
    `create table if not exists schema_migrations
       (name text primary key, digest text not null, applied_at bigint not null)`,
  ];
  for (const statement of statements) {
    for (let tries = 1; ; tries += 1) {
      try {
        await pool.query(statement);
        break;
      } catch (error) {
        if (!isCreationRace(error) || tries === maxAttempts) throw translate(error);
      }
    }
  }
}

function kyselyOver(connection: PostgresConnection): Kysely<Schema> {
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driverOver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
