import { setTimeout as pause } from "node:timers/promises";
import pg, { DatabaseError, type ClientConfig, type QueryConfig } from "pg";
import type { MigrationStep, SqlDialect } from "#ports/db.ts";
import { pendingSteps, type AppliedStep } from "#kernel/sql/pending-steps.ts";
import { isCreationRace, translate, type Queryable } from "./connection.ts";

const dialect: SqlDialect = { engine: "postgres", integer: "bigint", strict: "" };

/** Each lost race means that another process made progress, so a few tries suffice. */
const maxTries = 12;

export interface MigrationTarget {
  readonly connection: ClientConfig;
  /** How long the server may take to answer. A migration step itself may take longer. */
  readonly answerMs: number;
}

/**
 * Applies the missing steps on a connection of its own. Creating an index on a large table, or waiting for another
 * process that migrates, may take long, so it checks on a second connection that the server still answers.
 */
export async function migrate(
  target: MigrationTarget,
  steps: readonly MigrationStep[],
  now: number,
): Promise<readonly string[]> {
  const client = new pg.Client(target.connection);
  const ask = bounded(client, target.answerMs);
  // A lost connection also fails the running query; without this listener the process would exit.
  client.on("error", () => {});
  try {
    await client.connect();
    // Nothing to apply: change nothing, so that a role without the right to create tables can start.
    if (pendingSteps(steps, dialect, await appliedSteps(ask)).length === 0) return [];
    await createMigrationTables(ask);
    await ask.query({ text: "begin" });
    const pending = await whileAnswering(target, client, async () => {
      // A row lock, because distributed engines have no advisory locks.
      await client.query("select id from schema_lock where id = 1 for update");
      const missing = pendingSteps(steps, dialect, await appliedSteps(ask));
      for (const step of missing) {
        for (const statement of step.statements) await client.query(statement);
        const values = [step.name, step.digest, now];
        await ask.query({ text: "insert into schema_migrations values ($1, $2, $3)", values });
      }
      return missing;
    });
    await ask.query({ text: "commit" });
    return pending.map((step) => step.name);
  } catch (error) {
    throw translate(error);
  } finally {
    // Closing the connection also rolls back an open transaction.
    await end(client, target.answerMs);
  }
}

/** Queries with a timeout, for statements that are quick unless the server hangs. */
function bounded(client: pg.Client, answerMs: number): Queryable {
  return {
    query: (query) => {
      // The driver supports this option, but its types lack it.
      const config: QueryConfig & { query_timeout: number } = { ...query, query_timeout: answerMs };
      return client.query(config);
    },
  };
}

/** Runs the work, and closes its connection if the server stops answering on another one. */
async function whileAnswering<T>(
  target: MigrationTarget,
  client: pg.Client,
  work: () => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const watch = async () => {
    while (!over.signal.aborted) {
      await pause(target.answerMs, undefined, { signal: over.signal }).catch(() => {});
      if (!over.signal.aborted && !(await answers(target))) client.connection.stream.destroy();
    }
  };
  const watching = watch();
  try {
    return await work();
  } finally {
    over.abort();
    await watching;
  }
}

async function answers({ connection, answerMs }: MigrationTarget): Promise<boolean> {
  const client = new pg.Client({ ...connection, query_timeout: answerMs });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch (error) {
    // For example too many connections: the server did answer.
    return error instanceof DatabaseError;
  } finally {
    await end(client, answerMs);
  }
}

/** Closes the connection, by force if the server does not answer. */
async function end(client: pg.Client, answerMs: number): Promise<void> {
  const timer = setTimeout(() => client.connection.stream.destroy(), answerMs);
  try {
    await client.end();
  } finally {
    clearTimeout(timer);
  }
}

export async function pendingNames(
  target: Queryable,
  steps: readonly MigrationStep[],
): Promise<readonly string[]> {
  try {
    return pendingSteps(steps, dialect, await appliedSteps(target)).map((step) => step.name);
  } catch (error) {
    throw translate(error);
  }
}

async function appliedSteps(target: Queryable): Promise<readonly AppliedStep[]> {
  // Another program may have a table of this name in another schema, so resolve it as our queries would.
  const found = await target.query({ text: "select to_regclass('schema_migrations') as found" });
  if ((found.rows as { found: string | null }[])[0]?.found === null) return [];
  const applied = await target.query({ text: "select name, digest from schema_migrations" });
  return applied.rows as AppliedStep[];
}

async function createMigrationTables(target: Queryable): Promise<void> {
  const statements = [
    "create table if not exists schema_lock (id integer primary key)",
    "insert into schema_lock values (1) on conflict do nothing",
    `create table if not exists schema_migrations
       (name text primary key, digest text not null, applied_at bigint not null)`,
  ];
  for (const statement of statements) {
    for (let tries = 1; ; tries += 1) {
      try {
        await target.query({ text: statement });
        break;
      } catch (error) {
        if (!isCreationRace(error) || tries === maxTries) throw error;
      }
    }
  }
}
