import { existsSync } from "node:fs";
import { join } from "node:path";
import { isPrivateLink, notPrivate } from "#adapters/postgres/private-link.ts";
import { inspectSqlite, openSqlite } from "#adapters/sqlite/open-sqlite.ts";
import { createDataFolder } from "#adapters/system/data-folder.ts";
import { createLog } from "#adapters/system/log.ts";
import type { Config } from "#config.ts";
import type { Db, InspectedDb, OnOutcome, OnTrouble } from "#ports/db.ts";
import type { Log } from "#ports/log.ts";
import { everyWrapper, type Speed } from "./speed.ts";

export interface DatabaseOptions {
  readonly onTrouble?: OnTrouble;
  readonly onOutcome?: OnOutcome;
  readonly speed?: Speed | undefined;
}

/** Opens SQLite in the data folder, unless a PostgreSQL URL is configured. */
export async function openDatabase(
  config: Config,
  log: Log,
  { onTrouble, onOutcome, speed = everyWrapper }: DatabaseOptions = {},
): Promise<Db> {
  if (config.databaseUrl !== undefined) {
    if (!isPrivateLink(config.databaseUrl)) log.warn(notPrivate);
    // Loaded on demand, because the driver takes memory and slows down the start.
    const { openPostgres } = await import("#adapters/postgres/open-postgres.ts");
    return openPostgres({
      url: config.databaseUrl,
      poolSize: config.databasePool,
      answerMs: config.databaseAnswerMs,
      onIdleError: ({ message }) =>
        log.debug({ reason: message }, "an idle database connection was lost"),
      onTrouble,
      onOutcome,
      ...speed,
    });
  }
  await createDataFolder(config.data);
  const { rowCache } = speed;
  return openSqlite(sqliteFile(config), { onTrouble, onOutcome, rowCache });
}

/** The configured database, opened read-only. Undefined: the first start will create it. */
export async function inspectDatabase(config: Config): Promise<InspectedDb | undefined> {
  if (config.databaseUrl !== undefined) return openDatabase(config, createLog("silent"));
  const path = sqliteFile(config);
  return existsSync(path) ? inspectSqlite(path) : undefined;
}

export function sqliteFile({ data }: Config): string {
  return join(data, "ironlease.db");
}
