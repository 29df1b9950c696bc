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

/** Said in a sentence: nothing was backed up. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}

/** How long a process that is switching the file to WAL may keep it. */
const busyMs = 10_000;

/**
 * Copies a SQLite file as it is at one moment, while others go on writing to it, and gives the copy's
 * size. The copy gets its name only when it is whole, checked and on disk; when anything goes wrong
 * nothing is left of it.
 */
export function backUpSqlite(source: string, target: string): number {
  if (!existsSync(source)) throw new BackupRefused(`There is no database at ${source}.`);
  if (isThere(target)) {
    throw new BackupRefused(`${target} is there already: name a file that is not.`);
  }
  if (!existsSync(dirname(target))) {
    throw new BackupRefused(`There is no folder ${dirname(target)}.`);
  }
  const part = `${target}.${randomBytes(6).toString("hex")}.part`;
  try {
    // Made by us, for its owner alone; SQLite fills an empty file as it would make a new one.
    closeSync(openSync(part, "wx", 0o600));
    copyInto(source, part);
    check(part);
    sync(part);
    giveName(part, target);
    sync(dirname(target));
    return statSync(target).size;
  } finally {
    for (const leftover of [part, `${part}-journal`, `${part}-wal`, `${part}-shm`]) {
      rmSync(leftover, { force: true });
    }
  }
}

/** A link that leads nowhere is there too: writing to it would write somewhere else. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** One read transaction, so it is one moment's rows; writers wait for nothing. */
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
        `The copy has a row in ${String(orphan["table"])} without its parent.`,
      );
    }
    const migrated = copy.prepare("select 1 from sqlite_schema where name = 'schema_migrations'");
    if (migrated.get() === undefined) {
      throw new BackupRefused("The file is not a database of Ironlease.");
    }
  } finally {
    copy.close();
  }
}

/** What is not on disk would be gone with the power. */
function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A second name for the file, which fails where somebody else has taken it meanwhile. */
function giveName(part: string, target: string): void {
  try {
    linkSync(part, target);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST" || isThere(target)) {
      throw new BackupRefused(`${target} is there already: name a file that is not.`);
    }
    // A file system without links: nothing but a race of two backups could be lost by renaming.
    renameSync(part, target);
  }
}
