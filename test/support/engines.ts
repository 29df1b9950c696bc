import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "node:test";
import { migrations } from "#server/migrations/index.ts";
import type { Db, Engine, MigrationStep } from "#server/ports/db.ts";
import { openAt } from "./open-at.ts";
import { createMigratedDatabase, createTestDatabase } from "./test-database.ts";

/** A place for one database that nothing has opened yet. */
export interface DatabasePlace {
  /** The path of the file, or the address of the server's database. */
  readonly location: string;
  readonly remove: () => Promise<void>;
}

export interface OpenedEngine {
  readonly db: Db;
  readonly location: string;
  /** A second, independent connection to the same data, as another process would have. */
  readonly reopen: () => Promise<Db>;
  /** Closes everything that was opened here and removes the data. */
  readonly dispose: () => Promise<void>;
}

/** Whatever holds on one engine must hold on the other, so the same tests are defined for both. */
export function forEachEngine(define: (engine: Engine) => void): void {
  for (const engine of ["sqlite", "postgres"] as const) describe(engine, () => define(engine));
}

/** Opens a database that nobody else uses, with all tables and those of the further steps. */
export async function openEngine(
  engine: Engine,
  furtherSteps: readonly MigrationStep[] = [],
): Promise<OpenedEngine> {
  const { location, remove } =
    engine === "postgres" ? await migratedPostgres() : await createEmptyDatabase(engine);
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

async function migratedPostgres(): Promise<DatabasePlace> {
  const database = await createMigratedDatabase();
  return { location: database.url, remove: () => database.drop() };
}

export async function createEmptyDatabase(engine: Engine): Promise<DatabasePlace> {
  if (engine === "postgres") {
    const database = await createTestDatabase();
    return { location: database.url, remove: () => database.drop() };
  }
  // mkdtemp gives the folder to its owner alone, as the service does with its data folder.
  const folder = await mkdtemp(join(tmpdir(), "ironlease-sqlite-"));
  return {
    location: join(folder, "ironlease.db"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
