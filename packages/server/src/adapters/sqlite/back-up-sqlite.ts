import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Its message tells the user why nothing was backed up. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}

/** How long to wait for another process that is switching the file to WAL. */
const busyMs = 10_000;

/**
 * Copies a consistent snapshot of a SQLite file while other processes write to it, and returns the size of the copy.
 * The copy gets its final name once it is complete, checked and synced to disk. After an error, no part of it remains.
 */
export function backUpSqlite(source: string, target: string): number {
  if (!existsSync(source)) throw new BackupRefused(`There is no database at ${source}.`);
  if (exists(target)) {
    throw new BackupRefused(`${target} already exists. Choose another file.`);
  }
  if (!existsSync(dirname(target))) {
    throw new BackupRefused(`The folder ${dirname(target)} does not exist.`);
  }
  const part = `${target}.${randomBytes(6).toString("hex")}.part`;
  try {
    // Created here so that only its owner can read it. SQLite accepts an empty file as a new database.
    closeSync(openSync(part, "wx", 0o600));
    copyInto(source, part);
    check(part);
    sync(part);
    renameWithoutOverwriting(part, target);
    sync(dirname(target));
    return statSync(target).size;
  } finally {
    for (const leftover of [part, `${part}-journal`, `${part}-wal`, `${part}-shm`]) {
      rmSync(leftover, { force: true });
    }
  }
}

/** A dangling link counts as well: writing to it would create a file elsewhere. */
function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** One read transaction, so the copy is consistent. It blocks no writer. */
function copyInto(source: string, part: string): void {
  const database = new DatabaseSync(source, { readOnly: true, timeout: busyMs });
  try {
    database.prepare("vacuum into ?").run(part);
  } finally {
    database.close();
  }
}

function check(part: string): void {
  const copy = new DatabaseSync(part, { readOnly: true });
  try {
    const [found] = Object.values(copy.prepare("pragma integrity_check(1)").get() ?? {});
    if (found !== "ok") throw new BackupRefused(`The copy is damaged: ${String(found)}.`);
    const orphan = copy.prepare("pragma foreign_key_check").get();
    if (orphan !== undefined) {
      throw new BackupRefused(
        `The copy is damaged: a row in ${String(orphan["table"])} refers to a missing row.`,
      );
    }
    const migrated = copy.prepare("select 1 from sqlite_schema where name = 'schema_migrations'");
    if (migrated.get() === undefined) {
      throw new BackupRefused("The file is not an Ironlease database.");
    }
  } finally {
    copy.close();
  }
}

/** Flushes to disk what a power failure would otherwise lose. */
function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Renames by linking, which fails if another process has created the target in the meantime. */
function renameWithoutOverwriting(part: string, target: string): void {
  try {
    linkSync(part, target);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST" || exists(target)) {
      throw new BackupRefused(`${target} already exists. Choose another file.`);
    }
    // The file system has no links. Renaming can only overwrite the result of a concurrent backup.
    renameSync(part, target);
  }
}
