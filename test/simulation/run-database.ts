import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "#server/migrations/index.ts";
import type { Db, Engine } from "#server/ports/db.ts";
import { openAt } from "#test/open-at.ts";
import { createFixture } from "./create-fixture.ts";
import type { Fixture } from "./fixture.ts";
import { gateQueries, type GatedQueries } from "./gated-queries.ts";

/** The database of one run. It survives the crashes of service processes. */
export interface RunDatabase {
  readonly fixture: Fixture;
  readonly queries: GatedQueries;
  open(): Promise<Db>;
  /** Saves the files as they are now. The next `open` opens them. */
  saveCrashState(): void;
  /** Deletes the database. Close every connection first. */
  remove(): Promise<void>;
}

export interface RunDatabaseFactory {
  readonly engine: Engine;
  next(): Promise<RunDatabase>;
  close(): Promise<void>;
}

/** Used where it exists, because a run syncs about forty times and its data need not survive. */
const memoryFolder = "/dev/shm";

/**
 * Each run gets a copy of a template file that contains the fixture. A crash copies the file and its
 * write-ahead log as they are, so uncommitted changes are lost, as in a real crash.
 */
export async function sqliteRunDatabases(): Promise<RunDatabaseFactory> {
  const parent = existsSync(memoryFolder) ? memoryFolder : tmpdir();
  const folder = mkdtempSync(join(parent, "ironlease-simulation-"));
  const template = join(folder, "template.db");
  const db = await openAt("sqlite", template);
  await db.migrate(migrations, 0);
  const fixture = await createFixture(db);
  const queries = gateQueries(db);
  await db.close();
  let files = 0;
  const copy = (from: string): string => {
    files += 1;
    const to = join(folder, `${files}.db`);
    for (const suffix of ["", "-wal"]) {
      if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
    }
    return to;
  };
  return {
    engine: "sqlite",
    next: async () => {
      const paths = [copy(template)];
      return {
        fixture,
        queries,
        open: () => openAt("sqlite", paths.at(-1) ?? ""),
        saveCrashState: () => void paths.push(copy(paths.at(-1) ?? "")),
        remove: async () => {
          for (const path of paths) {
            for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
          }
        },
      };
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
