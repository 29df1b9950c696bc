import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "#adapters/system/clock.ts";
import { createLog } from "#adapters/system/log.ts";
import { readConfig } from "#config.ts";
import type { Core } from "#kernel/core.ts";
import { createCore } from "#composition/create-core.ts";
import { openDatabase } from "#composition/open-database.ts";
import { migrations } from "#migrations/index.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Print = (line: string) => void;

/** What to do where there is no database: make it, or say this of the data folder. */
type WhenMissing = "make" | ((data: string) => string);

export const sayWhereItIs = (data: string) =>
  `There is no database in ${data}: IRONLEASE_DATA says where it is.`;

export const sayWhoMakesIt = (data: string) =>
  `There is no database in ${data}: ironleased operator add makes one.`;

/**
 * Opens the configured database for a command and closes it again. A command that may come before the
 * first start makes it and brings it up to date; the others leave a database that is not theirs to
 * change as it is, and say what to do. Opening alone would make an empty one.
 */
export async function withDatabase(
  env: Environment,
  print: Print,
  whenMissing: WhenMissing,
  work: (core: Core) => Promise<number>,
): Promise<number> {
  const config = readConfig("preview", env);
  const isMissing =
    config.databaseUrl === undefined && !existsSync(join(config.data, "ironlease.db"));
  if (isMissing && whenMissing !== "make") {
    print(whenMissing(config.data));
    return 1;
  }
  const db = await openDatabase(config, createLog("silent"));
  try {
    if (whenMissing === "make") await db.migrate(migrations, systemClock.now());
    const pending = await db.pending(migrations);
    if (pending.length > 0) {
      print(`The database lacks ${pending.join(", ")}: run ironleased migrate first.`);
      return 1;
    }
    return await work(createCore(config, db));
  } finally {
    await db.close();
  }
}
