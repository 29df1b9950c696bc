import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../adapters/system/clock.ts";
import { createLog } from "../adapters/system/log.ts";
import { readConfig } from "../config.ts";
import type { Core } from "../kernel/core.ts";
import { createCore, openDatabase } from "../main.ts";
import { migrations } from "../migrations/index.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export type Print = (line: string) => void;

/**
 * Opens the configured database for a command about operators. `prepare` brings it up to date first,
 * so that the first operator can be added before the first start; the others leave a database that
 * is not theirs to change as it is, and say what to do.
 */
export async function withDatabase(
  env: Environment,
  print: Print,
  { prepare }: { readonly prepare: boolean },
  work: (core: Core) => Promise<number>,
): Promise<number> {
  const config = readConfig("preview", env);
  const isMissing =
    config.databaseUrl === undefined && !existsSync(join(config.data, "ironlease.db"));
  if (isMissing && !prepare) {
    print(`There is no database in ${config.data}: ironleased operator add makes one.`);
    return 1;
  }
  const db = await openDatabase(config, createLog("silent"));
  try {
    if (prepare) await db.migrate(migrations, systemClock.now());
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
