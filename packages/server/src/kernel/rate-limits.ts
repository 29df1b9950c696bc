import type { RateLimitName } from "@ironlease/contract";
import { sql } from "kysely";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "./result.ts";
import type { Rules } from "./core.ts";
import { hashSecret } from "./access/secrets.ts";

/** One limit applied to one subject, such as an address with a username. */
export interface Attempt {
  readonly limit: RateLimitName;
  readonly subject: string;
}

/**
 * Counts the attempts before the guarded work, with the check in the same statement, so that concurrent attempts
 * cannot exceed the limit. If any limit is reached, the transaction is refused and nothing is counted.
 */
export async function takeAttempts(
  tx: Tx,
  rules: Rules,
  attempts: readonly Attempt[],
  now: number,
): Promise<Result<void>> {
  for (const attempt of attempts) {
    const taken = await takeAttempt(tx, rules, attempt, now);
    if (!taken.ok) return taken;
  }
  return ok();
}

async function takeAttempt(
  tx: Tx,
  rules: Rules,
  attempt: Attempt,
  now: number,
): Promise<Result<void>> {
  const limit = rules.rateLimits?.[attempt.limit];
  if (limit === undefined) return ok();
  const key = keyOf(attempt);
  const windowMs = limit.windowSeconds * 1000;
  // A window that ends later than a new one was stored before the clock was set back.
  const isOver = sql<boolean>`(rate_limits.window_ends_at <= ${now} or rate_limits.window_ends_at > ${now + windowMs})`;
  const taken = await tx
    .insertInto("rate_limits")
    .values({ key, count: 1, window_ends_at: now + windowMs })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({
          count: sql`case when ${isOver} then 1 else rate_limits.count + 1 end`,
          window_ends_at: sql`case when ${isOver} then excluded.window_ends_at else rate_limits.window_ends_at end`,
        })
        .where(sql<boolean>`${isOver} or rate_limits.count < ${limit.count}`),
    )
    .returning("count")
    .executeTakeFirst();
  if (taken !== undefined) return ok();

  const row = await tx
    .selectFrom("rate_limits")
    .select("window_ends_at")
    .where("key", "=", key)
    .executeTakeFirstOrThrow();
  const retryAfterSeconds = Math.max(1, Math.ceil((row.window_ends_at - now) / 1000));
  return refuse("rate_limited", { limit: { name: attempt.limit, ...limit, retryAfterSeconds } });
}

/** Gives back successful attempts where only failures count. */
export async function giveBackAttempts(
  tx: Tx,
  rules: Rules,
  attempts: readonly Attempt[],
): Promise<void> {
  if (rules.rateLimits === undefined) return;
  for (const attempt of attempts) {
    await tx
      .updateTable("rate_limits")
      .set({ count: sql`count - 1` })
      .where("key", "=", keyOf(attempt))
      .where("count", ">", 0)
      .execute();
  }
}

/** Hashed, because people often type their password into the username field. */
function keyOf({ limit, subject }: Attempt): string {
  return `${limit} ${hashSecret(subject)}`;
}

/** Deletes up to `limit` windows that ended at `now` or before, and returns how many. */
export async function sweepRateLimits(tx: Tx, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("rate_limits")
    .where("key", "in", (eb) =>
      eb.selectFrom("rate_limits").select("key").where("window_ends_at", "<=", now).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
