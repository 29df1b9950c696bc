import assert from "node:assert/strict";
import { sql } from "kysely";
import type { Db } from "#server/ports/db.ts";

const maxLooks = 2_000;

/**
 * Until another transaction waits for a row that this one holds, so that a test can let go of it at
 * the worst moment. SQLite has no rows to wait for: a write waits there before its first statement.
 */
export async function untilSomebodyWaits(db: Db): Promise<void> {
  if (db.engine === "sqlite") return;
  for (let look = 0; look < maxLooks; look += 1) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db.read);
    if (rows.length > 0) return;
  }
  assert.fail("nobody waits for a lock");
}
