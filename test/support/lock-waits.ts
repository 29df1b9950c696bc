import assert from "node:assert/strict";
import { sql } from "kysely";
import type { Db } from "#server/ports/db.ts";

const maxChecks = 2_000;

/**
 * Waits until a transaction is blocked by a lock, so that a test can commit at the worst moment. SQLite has
 * no row locks: a second write waits before its first statement, so there is nothing to wait for.
 */
export async function untilBlocked(db: Db): Promise<void> {
  if (db.engine === "sqlite") return;
  for (let check = 0; check < maxChecks; check += 1) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db.read);
    if (rows.length > 0) return;
  }
  assert.fail("no transaction waits for a lock");
}
