import assert from "node:assert/strict";
import { sql } from "kysely";
import type { Core } from "#server/kernel/core.ts";
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

/**
 * Runs a use case several times at once. The first one commits only when another one waits for it, each with the writes
 * of an owner of its own, because those of one owner queue behind each other.
 */
export async function runOverlapping<T>(
  core: Core,
  count: number,
  useCase: (core: Core) => Promise<T>,
): Promise<readonly T[]> {
  const { db } = core;
  const isWritten = Promise.withResolvers<void>();
  const write =
    (index: number): Db["write"] =>
    (work, violations) =>
      db.write(
        async (tx) => {
          const result = await work(tx);
          if (index === 0) {
            isWritten.resolve();
            await untilBlocked(db);
          }
          return result;
        },
        violations,
        `owner ${index}`,
      );
  const run = (index: number) => useCase({ ...core, db: { ...db, write: write(index) } });
  const first = run(0);
  await Promise.race([first, isWritten.promise]);
  return Promise.all([first, ...Array.from({ length: count - 1 }, (_, index) => run(index + 1))]);
}
