import { setTimeout as pause } from "node:timers/promises";
import pg, { DatabaseError, type ClientConfig, type QueryConfig } from "pg";
import type { MigrationStep, SqlDialect } from "#ports/db.ts";
import { pendingSteps, type AppliedStep } from "#ports/migrations.ts";
import { isCreationRace, translate, type Queryable } from "./connection.ts";

const dialect: SqlDialect = { engine: "postgres", integer: "bigint", strict: "" };

/** Each lost race means that another process got further, so a few tries are plenty. */
const maxTries = 12;

export interface MigrationTarget {
  readonly connection: ClientConfig;
  /** How long the server may be silent. A step itself may take longer. */
  readonly answerMs: number;
}

/**
 * Applies the missing steps on a connection of its own. An index on a large table takes its time, and so
 * does another process that migrates, so meanwhile it is the server that has to answer in time.
 */
export async function migrate(
  target: MigrationTarget,
  steps: readonly MigrationStep[],
  now: number,
): Promise<readonly string[]> {
  const client = new pg.Client(target.connection);
  const ask = bounded(client, target.answerMs);
  // What was being asked fails as well when the connection does; without this the process would end.
  client.on("error", () => {});
  try {
    await client.connect();
    // Where nothing is to be done nothing is touched: a role that may not make tables can start.
    if (pendingSteps(steps, dialect, await appliedSteps(ask)).length === 0) return [];
    await createMigrationTables(ask);
    await ask.query({ text: "begin" });
    const pending = await whileAnswering(target, client, async () => {
      // A row lock and no advisory one, which distributed engines do not have.
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
    // Ending the connection also undoes what was not committed.
    await end(client, target.answerMs);
  }
}

/** A statement that is quick unless the server is silent. */
function bounded(client: pg.Client, answerMs: number): Queryable {
  return {
    query: (query) => {
      // The driver knows it, its types do not.
      const config: QueryConfig & { query_timeout: number } = { ...query, query_timeout: answerMs };
      return client.query(config);
    },
  };
}

/** Breaks the connection when the server does not answer another one in time. */
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
    // Too many connections, say: an answer all the same.
    return error instanceof DatabaseError;
  } finally {
    await end(client, answerMs);
  }
}

/** Says goodbye, and does not wait for a server that is silent. */
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
  // Another program may have a table of this name in another schema; only the one we would use counts.
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
