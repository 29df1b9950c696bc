import { isLive } from "#kernel/access/session-secrets.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";

export interface OperatorSessionRecord {
  readonly id: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly ipAddress: string;
  readonly userAgent: string;
}

/** The operator's valid sessions, newest first. The session limit bounds the list. */
export async function listOperatorSessions(
  core: Core,
  operatorId: string,
): Promise<Result<readonly OperatorSessionRecord[]>> {
  const { read } = core.db;
  const operator = await read
    .selectFrom("operators")
    .select("id")
    .where("id", "=", operatorId)
    .executeTakeFirst();
  if (operator === undefined) return refuse("not_found");
  const rows = await read
    .selectFrom("operator_sessions")
    .select(["id", "created_at as createdAt", "last_seen_at as storedAt", "ends_at as endsAt"])
    .select(["ip_address as ipAddress", "user_agent as userAgent"])
    .where("operator_id", "=", operatorId)
    .orderBy("created_at", "desc")
    .execute();
  return ok(
    rows.flatMap(({ storedAt, endsAt, ...row }) => {
      const lastSeenAt = core.lastUse.latest(row.id, storedAt);
      if (!isLive(core, { sessionId: row.id, endsAt, lastSeenAt })) return [];
      const expiresAt = Math.min(endsAt, lastSeenAt + core.rules.sessionIdleMs);
      return [{ ...row, lastSeenAt, expiresAt }];
    }),
  );
}
