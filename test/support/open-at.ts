import { openPostgres } from "#server/adapters/postgres/open-postgres.ts";
import { openSqlite } from "#server/adapters/sqlite/open-sqlite.ts";
import type { Db, Engine } from "#server/ports/db.ts";
import { speedUnderTest } from "./speed.ts";

/** Apart from what tests need, so that a program in a process of its own loads no test runner. */
export async function openAt(engine: Engine, location: string): Promise<Db> {
  if (engine === "sqlite") return openSqlite(location, speedUnderTest);
  // Tests break connections on purpose; what they check is what the next call says.
  // Hundreds of writes at once wait longer on a busy machine than a customer should.
  const answerMs = 120_000;
  return openPostgres({
    url: location,
    poolSize: 10,
    answerMs,
    onIdleError: () => {},
    ...speedUnderTest,
  });
}
