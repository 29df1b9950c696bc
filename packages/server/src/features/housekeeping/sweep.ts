import type { Core } from "#kernel/core.ts";
import { ok } from "#ports/result.ts";

export interface Swept {
  readonly sessions: number;
  readonly operatorSessions: number;
  readonly rateLimits: number;
  readonly leases: number;
}

/** Small enough that no request waits for it. What is left over goes with the next pass. */
const batch = 500;

/**
 * Clears away what has lapsed: sessions that nobody can use any more, windows of rate limits that are
 * over, and leases that operators let lapse, whose work is open again. Nothing depends on it being
 * done: whoever reads these rows looks at their time.
 */
export async function sweep(core: Core): Promise<Swept> {
  const now = core.clock.now();
  const result = await core.db.write(async (tx) => {
    const sessions = await tx
      .deleteFrom("sessions")
      .where("id", "in", (eb) =>
        eb
          .selectFrom("sessions")
          .select("id")
          .where("last_seen_at", "<=", now - core.rules.sessionIdleMs)
          .limit(batch),
      )
      .where("last_seen_at", "<=", now - core.rules.sessionIdleMs)
      .executeTakeFirst();
    const operatorSessions = await tx
      .deleteFrom("operator_sessions")
      .where("id", "in", (eb) =>
        eb
          .selectFrom("operator_sessions")
          .select("id")
          .where("last_seen_at", "<=", now - core.rules.sessionIdleMs)
          .limit(batch),
      )
      .where("last_seen_at", "<=", now - core.rules.sessionIdleMs)
      .executeTakeFirst();
    const rateLimits = await tx
      .deleteFrom("rate_limits")
      .where("key", "in", (eb) =>
        eb.selectFrom("rate_limits").select("key").where("window_ends_at", "<=", now).limit(batch),
      )
      .executeTakeFirst();
    const leases = await tx
      .updateTable("work")
      .set({ state: "OPEN", claimed_by: null, lease_until: null })
      .where("id", "in", (eb) =>
        eb
          .selectFrom("work")
          .select("id")
          .where("state", "=", "CLAIMED")
          .where("lease_until", "<=", now)
          .limit(batch),
      )
      .where("lease_until", "<=", now)
      .executeTakeFirst();
    return ok({
      sessions: Number(sessions.numDeletedRows),
      operatorSessions: Number(operatorSessions.numDeletedRows),
      rateLimits: Number(rateLimits.numDeletedRows),
      leases: Number(leases.numUpdatedRows),
    });
  });
  if (!result.ok) throw new Error("sweeping refuses nothing");
  return result.value;
}
