import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "node:test";
import { migrations } from "#server/migrations/index.ts";
import type { Db, Engine, MigrationStep } from "#server/ports/db.ts";
import { openAt } from "./open-at.ts";
import { copySqliteTemplate } from "./template-database.ts";
import { createMigratedDatabase, createTestDatabase } from "./test-database.ts";

/** Where a database is, before it is opened. */
export interface DatabaseLocation {
  /** The path of the SQLite file or the URL of the PostgreSQL database. */
  readonly location: string;
  readonly remove: () => Promise<void>;
}

export interface OpenedEngine {
  readonly db: Db;
  readonly location: string;
  /** A second, independent connection to the same data, as another process would have. */
  readonly reopen: () => Promise<Db>;
  /** Closes all connections and removes the data. */
  readonly dispose: () => Promise<void>;
}

/** Defines the same tests for both engines. */
export function forEachEngine(define: (engine: Engine) => void): void {
  for (const engine of ["sqlite", "postgres"] as const) describe(engine, () => define(engine));
}

/**
 * Defines tests of a slow daemon for one engine, because other tests run the same code on both. `npm run test:chains`
 * sets the variable and runs them on both.
 */
export function forSlowDaemon(engine: Engine, define: (engine: Engine) => void): void {
  if (process.env["IRONLEASE_TEST_EVERY_ENGINE"] === "yes") forEachEngine(define);
  else describe(engine, () => define(engine));
}

/** Opens a new database and applies all migrations and the further steps. */
export async function openEngine(
  engine: Engine,
  furtherSteps: readonly MigrationStep[] = [],
): Promise<OpenedEngine> {
  const { location, remove } =
    engine === "postgres" ? await migratedPostgres() : await migratedSqlite();
  const opened: Db[] = [];
  const reopen = async () => {
    const db = await openAt(engine, location);
    opened.push(db);
    return db;
  };
  const dispose = async () => {
    await Promise.all(opened.map((db) => db.close()));
    await remove();
  };
  try {
    const db = await reopen();
    await db.migrate([...migrations, ...furtherSteps], 0);
    return { db, location, reopen, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function migratedPostgres(): Promise<DatabaseLocation> {
  const database = await createMigratedDatabase();
  return { location: database.url, remove: () => database.drop() };
}

async function migratedSqlite(): Promise<DatabaseLocation> {
  const database = await createEmptyDatabase("sqlite");
  await copySqliteTemplate(database.location);
  return database;
}

export async function createEmptyDatabase(engine: Engine): Promise<DatabaseLocation> {
  if (engine === "postgres") {
    const database = await createTestDatabase();
    return { location: database.url, remove: () => database.drop() };
  }
  // mkdtemp makes the folder accessible to its owner only, like the service's data folder.
  const folder = await mkdtemp(join(tmpdir(), "ironlease-sqlite-"));
  return {
    location: join(folder, "ironlease.db"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
