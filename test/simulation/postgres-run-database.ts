import { openEngine } from "#test/engines.ts";
import { createFixture } from "./create-fixture.ts";
import { gateQueries, type GatedQueries } from "./gated-queries.ts";
import type { RunDatabaseFactory } from "./run-database.ts";

/** A PostgreSQL database for each run. A crash closes the connection, which rolls back its transaction. */
export async function postgresRunDatabases(): Promise<RunDatabaseFactory> {
  let queries: GatedQueries | undefined;
  return {
    engine: "postgres",
    next: async () => {
      const { db, reopen, dispose } = await openEngine("postgres");
      const fixture = await createFixture(db);
      queries ??= gateQueries(db);
      return { fixture, queries, open: reopen, saveCrashState: () => {}, remove: dispose };
    },
    close: async () => {},
  };
}
