import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "pg";
import { openPostgres } from "#server/adapters/postgres/open-postgres.ts";
import { openSqlite } from "#server/adapters/sqlite/open-sqlite.ts";
import { migrations } from "#server/migrations/index.ts";

/**
 * Creates a migrated database that tests copy, because copying takes a tenth of the time of migrating. The
 * name is unique to this run, because an external server may still hold the template of an earlier run.
 */
export async function createTemplate(serverUrl: string): Promise<string> {
  const name = `ironlease_template_${process.pid}_${Date.now()}`;
  await runStatement(serverUrl, `create database ${name}`);
  const db = await openPostgres({
    url: databaseUrl(serverUrl, name),
    poolSize: 1,
    onIdleError: () => {},
  });
  try {
    await db.migrate(migrations, 0);
  } finally {
    await db.close();
  }
  return name;
}

const sqliteTemplate = "template.db";

/** Creates a migrated SQLite file that tests copy. */
export async function createSqliteTemplate(folder: string): Promise<void> {
  const db = openSqlite(join(folder, sqliteTemplate));
  try {
    await db.migrate(migrations, 0);
  } finally {
    await db.close();
  }
}

/** Copies the SQLite file of the global setup. Without it, the test migrates its own. */
export async function copySqliteTemplate(path: string): Promise<void> {
  const { IRONLEASE_TEST_FOLDER: folder } = process.env;
  if (folder !== undefined) await copyFile(join(folder, sqliteTemplate), path);
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
