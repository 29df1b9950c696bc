import { UsageError } from "@ironlease/command-line";
import { backUpDatabase, secondFactorKeyFile } from "#composition/command-database.ts";
import { readConfig } from "#config.ts";
import type { Call } from "./command.ts";

type BackupCall = Call<{ readonly file: string }>;

/**
 * Copies the SQLite database to a file while the service runs. For PostgreSQL it prints how to use that
 * engine's own tools. Exit code 1 if nothing was backed up.
 */
export async function backUp({ args: { file }, env, print, data }: BackupCall): Promise<number> {
  if (file === "") throw new UsageError("FILE is empty.", "ironleased backup --help");
  if (file === "-") {
    const problem = "FILE must be a path: a backup does not go to standard output.";
    throw new UsageError(problem, "ironleased backup --help");
  }
  const config = readConfig("command", env);
  if (config.databaseUrl !== undefined) {
    for (const line of postgresAdvice(config.databaseUrl, file)) print(line);
    return 1;
  }
  const backup = backUpDatabase(config, file);
  if (!backup.ok) {
    print(`Nothing was backed up. ${backup.reason}`);
    return 1;
  }
  data({ file, source: backup.source, bytes: backup.bytes });
  print(`Backed up ${backup.source} to ${file} (${sizeOf(backup.bytes)}, checked and synced).`);
  print("");
  print("To restore:");
  print("  1. Stop ironleased.");
  print(
    `  2. In ${config.data}, remove ironlease.db, ironlease.db-wal and ironlease.db-shm, and copy the file there as ironlease.db.`,
  );
  print("  3. Run ironleased verify, then start ironleased.");
  print("");
  print(
    `The second factors in it can be read only with ${secondFactorKeyFile(config)}. Keep a copy of that file elsewhere.`,
  );
  return 0;
}

function sizeOf(bytes: number): string {
  return bytes < 1024 ** 2
    ? `${Math.ceil(bytes / 1024)} KiB`
    : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

/** Shows only the parts of the address that identify the database: others may hold a password. */
function postgresAdvice(address: string, file: string): readonly string[] {
  const url = new URL(address);
  const user = url.username === "" ? "" : `${url.username}@`;
  const socket = url.searchParams.get("host");
  const where = socket === null ? "" : `?host=${encodeURIComponent(socket)}`;
  const database = `postgres://${user}${url.host}${url.pathname}${where}`.replaceAll("'", "%27");
  const quoted = `'${file.replaceAll("'", "'\\''")}'`;
  return [
    "Nothing was backed up. The data is in PostgreSQL: use its own tools.",
    "",
    "To dump a consistent copy while the service runs (password from PGPASSWORD or ~/.pgpass):",
    `  pg_dump --format=custom --file=${quoted} --dbname='${database}'`,
    "To restore into an empty database, stop every instance first, and verify before you start them:",
    `  pg_restore --no-owner --exit-on-error --single-transaction --dbname='postgres://…' ${quoted}`,
    "  ironleased verify",
    "",
    "For backups that lose seconds at most, use pg_basebackup with WAL archiving or your provider's backups.",
  ];
}
