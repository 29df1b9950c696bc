import { createLog } from "#adapters/system/log.ts";
import { systemClock } from "#adapters/system/clock.ts";
import { parseConfig } from "#config.ts";
import { openDatabase } from "#composition/open-database.ts";
import { migrations } from "#migrations/index.ts";
import type { Environment, Print } from "./with-database.ts";

/** Applies pending migrations. Settings that only `serve` refuses are not in the way. */
export async function migrate(env: Environment, print: Print): Promise<number> {
  const config = parseConfig("serve", env);
  const db = await openDatabase(config, createLog(config.logLevel));
  try {
    const applied = await db.migrate(migrations, systemClock.now());
    print(applied.length === 0 ? "The database is up to date." : `Applied ${applied.join(", ")}.`);
    return 0;
  } finally {
    await db.close();
  }
}
