import { applyMigrations, openForCommand } from "#composition/command-database.ts";
import { readConfig } from "#config.ts";
import type { Call } from "./command.ts";

export async function migrate({ env, print, data }: Call): Promise<number> {
  const config = readConfig("command", env);
  const db = await openForCommand(config, config.logLevel);
  try {
    const applied = await applyMigrations(db);
    data({ applied });
    print(applied.length === 0 ? "The database is up to date." : `Applied ${applied.join(", ")}.`);
    return 0;
  } finally {
    await db.close();
  }
}
