import { join, resolve } from "node:path";
import { backUpSqlite, BackupRefused } from "#adapters/sqlite/back-up-sqlite.ts";
import { keyPlace } from "#adapters/system/key-file.ts";
import { readConfig } from "#config.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Print = (line: string) => void;

/**
 * Copies the SQLite database into a file while the service goes on. PostgreSQL has better tools of its
 * own, and is told how they are used. Exit code 1 when nothing was backed up, 2 when the command line
 * is not understood.
 */
export async function backup(
  args: readonly string[],
  env: Environment,
  print: Print,
): Promise<number> {
  const [file, ...rest] = args;
  // A mistyped option must not become the name of a file.
  if (file === undefined || file === "" || file.startsWith("-") || rest.length > 0) {
    print("Usage: ironleased backup FILE");
    return 2;
  }
  const config = readConfig("preview", env);
  if (config.databaseUrl !== undefined) {
    for (const line of postgresAdvice(config.databaseUrl, file)) print(line);
    return 1;
  }
  const source = join(config.data, "ironlease.db");
  try {
    const bytes = backUpSqlite(source, resolve(file));
    print(`Backed up ${source} to ${file}: ${sizeOf(bytes)}, checked and on disk.`);
  } catch (error) {
    print(`Nothing was backed up. ${reasonOf(error)}`);
    return 1;
  }
  print(
    "To restore it: stop ironleased; in the data folder remove ironlease.db, ironlease.db-wal and",
  );
  print(
    "ironlease.db-shm; copy the file there as ironlease.db; run ironleased verify; start it again.",
  );
  const { path } = keyPlace(config.secretFile, config.data);
  print(`Operators' second factors in it open only with ${path}: keep a copy of that elsewhere.`);
  return 0;
}

function reasonOf(error: unknown): string {
  if (error instanceof BackupRefused) return error.message;
  return error instanceof Error ? `The copy could not be made: ${error.message}.` : String(error);
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ** 2
    ? `${Math.ceil(bytes / 1024)} KiB`
    : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

/** Of the address only what says which database it is: a password may stand in several places. */
function postgresAdvice(address: string, file: string): readonly string[] {
  const url = new URL(address);
  const user = url.username === "" ? "" : `${url.username}@`;
  const socket = url.searchParams.get("host");
  const where = socket === null ? "" : `?host=${encodeURIComponent(socket)}`;
  const database = `postgres://${user}${url.host}${url.pathname}${where}`.replaceAll("'", "%27");
  const quoted = `'${file.replaceAll("'", "'\\''")}'`;
  return [
    "Nothing was backed up: the data is in PostgreSQL, which has its own tools for this.",
    "",
    "A dump, consistent while the service runs (the password from PGPASSWORD or ~/.pgpass):",
    `  pg_dump --format=custom --file=${quoted} --dbname='${database}'`,
    "Into an empty database, with every instance stopped, and checked before they start again:",
    `  pg_restore --no-owner --exit-on-error --single-transaction --dbname='postgres://…' ${quoted}`,
    "  ironleased verify",
    "",
    "For copies that lose no more than seconds use pg_basebackup with WAL archiving, or your provider's.",
  ];
}
