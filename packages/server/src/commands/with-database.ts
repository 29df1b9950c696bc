import { applyMigrations, hasDatabase, openForCommand } from "#composition/command-database.ts";
import { createCore } from "#composition/create-core.ts";
import { readConfig, type Mode } from "#config.ts";
import type { Core } from "#kernel/core.ts";
import { migrations } from "#migrations/index.ts";
import type { Environment, Print } from "./command.ts";

/** Without a database: create it, or refuse with this sentence about the data folder. */
type WhenMissing = "create" | ((data: string) => string);

export const checkDataFolder = (data: string) =>
  `No database in ${data}. Set IRONLEASE_DATA to the data folder.`;

export const addOperatorFirst = (data: string) =>
  `No database in ${data}. To create one: ironleased operator add NAME`;

/**
 * Opens the configured database for a command and closes it again. A command that may precede the first
 * start creates the database and migrates it. The others leave an outdated database unchanged and refuse.
 */
export async function withDatabase(
  env: Environment,
  print: Print,
  whenMissing: WhenMissing,
  work: (core: Core) => Promise<number>,
  mode: Mode = "command",
): Promise<number> {
  const config = readConfig(mode, env);
  // Opening would create an empty database.
  if (whenMissing !== "create" && !hasDatabase(config)) {
    print(whenMissing(config.data));
    return 1;
  }
  const db = await openForCommand(config);
  try {
    if (whenMissing === "create") await applyMigrations(db);
    const pending = await db.pending(migrations);
    if (pending.length > 0) {
      print(`The database is out of date (${pending.join(", ")}). Run ironleased migrate first.`);
      return 1;
    }
    return await work(createCore(config, db));
  } finally {
    await db.close();
  }
}
