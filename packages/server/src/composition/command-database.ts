import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { backUpSqlite, BackupRefused } from "#adapters/sqlite/back-up-sqlite.ts";
import { systemClock } from "#adapters/system/clock.ts";
import { keyLocation } from "#adapters/system/key-file.ts";
import { createLog } from "#adapters/system/log.ts";
import type { Config } from "#config.ts";
import { migrations } from "#migrations/index.ts";
import type { Db } from "#ports/db.ts";
import { openDatabase, sqliteFile } from "./open-database.ts";

/** Opens the configured database for a command. Silent by default, because most commands print their own messages. */
export function openForCommand(config: Config, logLevel = "silent"): Promise<Db> {
  return openDatabase(config, createLog(logLevel));
}

/** Whether there is a database to open. For PostgreSQL this only means that one is configured. */
export function hasDatabase(config: Config): boolean {
  return config.databaseUrl !== undefined || existsSync(sqliteFile(config));
}

/** Applies the pending migrations and returns their names. */
export function applyMigrations(db: Db): Promise<readonly string[]> {
  return db.migrate(migrations, systemClock.now());
}

export type Backup =
  | { readonly ok: true; readonly source: string; readonly bytes: number }
  | { readonly ok: false; readonly reason: string };

/** Copies the SQLite file while the service keeps writing to it. */
export function backUpDatabase(config: Config, file: string): Backup {
  const source = sqliteFile(config);
  try {
    return { ok: true, source, bytes: backUpSqlite(source, resolve(file)) };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof BackupRefused) return error.message;
  return error instanceof Error ? `The copy failed: ${error.message}.` : String(error);
}

/** The file with the key that seals the operators' second factors. */
export function secondFactorKeyFile(config: Config): string {
  return keyLocation(config.secretFile, config.data).path;
}
