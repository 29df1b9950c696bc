import pg, { type ClientConfig } from "pg";
import type { MigrationStep, SqlDialect } from "../../ports/db.ts";
import { pendingSteps, type AppliedStep } from "../../ports/migrations.ts";
import { isCreationRace, translate, type Queryable } from "./connection.ts";

const dialect: SqlDialect = { engine: "postgres", integer: "bigint", strict: "" };

/** Each lost race means that another process got further, so a few tries are plenty. */
const maxTries = 12;

/** Applies the missing steps on a connection of its own: an index on a large table takes its time. */
export async function migrate(
  config: ClientConfig,
  steps: readonly MigrationStep[],
  now: number,
): Promise<readonly string[]> {
  const client = new pg.Client(config);
  // What was being asked fails as well when the connection does; without this the process would end.
  client.on("error", () => {});
  try {
    await client.connect();
    // Where nothing is to be done nothing is touched: a role that may not make tables can start.
    if (pendingSteps(steps, dialect, await appliedSteps(client)).length === 0) return [];
    await createMigrationTables(client);
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
    return pending.map((step) => step.name);
  } catch (error) {
    throw translate(error);
  } finally {
    // Ending the connection also undoes what was not committed.
    await client.end();
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

async function createMigrationTables(client: pg.Client): Promise<void> {
  const statements = [
    "create table if not exists schema_lock (id integer primary key)",
    "insert into schema_lock values (1) on conflict do nothing",
    `create table if not exists schema_migrations
       (name text primary key, digest text not null, applied_at bigint not null)`,
  ];
  for (const statement of statements) {
    for (let tries = 1; ; tries += 1) {
      try {
        await client.query(statement);
        break;
      } catch (error) {
        if (!isCreationRace(error) || tries === maxTries) throw error;
      }
    }
  }
}
