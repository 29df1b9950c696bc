import { openPostgres } from "#server/adapters/postgres/open-postgres.ts";
import { openSqlite } from "#server/adapters/sqlite/open-sqlite.ts";
import type { Db, Engine } from "#server/ports/db.ts";
import { speedUnderTest } from "./speed.ts";

/** In a separate module, so that child processes do not load the test runner. */
export async function openAt(engine: Engine, location: string): Promise<Db> {
  if (engine === "sqlite") return openSqlite(location, speedUnderTest);
  // Hundreds of concurrent writes on a busy machine exceed the default time limit for an answer.
  const answerMs = 120_000;
  return openPostgres({
    url: location,
    poolSize: 10,
    answerMs,
    // Tests break connections on purpose and assert on the next call.
    onIdleError: () => {},
    ...speedUnderTest,
  });
}
