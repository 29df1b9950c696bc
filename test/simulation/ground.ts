import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "#server/migrations/index.ts";
import type { Db, Engine } from "#server/ports/db.ts";
import { openAt } from "#test/open-at.ts";
import { prepareCast } from "./cast.ts";
import type { Cast } from "./cast-members.ts";
import { gateQueries, type GatedQueries } from "./gated-queries.ts";

/** What a run's database stands on. */
export interface Ground {
  readonly cast: Cast;
  readonly queries: GatedQueries;
  open(): Promise<Db>;
  /** What a process that dies now leaves is what the next `open` finds. */
  leaveToNext(): void;
  /** When everything that was opened is closed. */
  remove(): Promise<void>;
}

/** Makes ground for any number of runs. */
export interface Grounds {
  readonly engine: Engine;
  next(): Promise<Ground>;
  close(): Promise<void>;
}

/** In memory where there is such a folder: a run syncs some forty times, and none of it must last. */
const memoryFolder = "/dev/shm";

/**
 * SQLite files, each a copy of one with the cast in it. A death is another copy, of the file and its
 * log as they are at that moment: what was not committed is not in it, as after a real one.
 */
export async function sqliteGrounds(): Promise<Grounds> {
  const parent = existsSync(memoryFolder) ? memoryFolder : tmpdir();
  const folder = mkdtempSync(join(parent, "ironlease-simulation-"));
  const template = join(folder, "template.db");
  const db = await openAt("sqlite", template);
  await db.migrate(migrations, 0);
  const cast = await prepareCast(db);
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
        ...{ cast, queries },
        open: () => openAt("sqlite", paths.at(-1) ?? ""),
        leaveToNext: () => void paths.push(copy(paths.at(-1) ?? "")),
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
