import type { Core } from "#kernel/core.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import type { AccountSession } from "./authenticate-session.ts";

export interface SessionRecord {
  readonly id: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly current: boolean;
}

interface ValidSessions {
  readonly accountId: string;
  /** The calling session. It is valid even if its last use is not stored yet. */
  readonly sessionId: string;
  readonly now: number;
  readonly idleSince: number;
}

const validSessions = prepared(
  ["accountId", "sessionId", "now", "idleSince"],
  (db, { accountId, sessionId, now, idleSince }: ValidSessions & Record<string, string | number>) =>
    db
      .selectFrom("sessions")
      .select([
        "id",
        "created_at as createdAt",
        "last_seen_at as lastSeenAt",
        "ends_at as endsAt",
        "ip_address as ipAddress",
        "user_agent as userAgent",
      ])
      .where("account_id", "=", accountId)
      .where("ends_at", ">", now)
      .where((eb) => eb.or([eb("last_seen_at", ">", idleSince), eb("id", "=", sessionId)]))
      .orderBy("created_at", "desc")
      .orderBy("id", "desc"),
);

/** The account's valid sessions, newest first. The session limit bounds the list. */
export async function listSessions(
  core: Core,
  session: AccountSession,
): Promise<readonly SessionRecord[]> {
  const { sessionIdleMs } = core.rules;
  const now = core.clock.now();
  // Read before the rows, because this request may still be storing its own use of the session.
  const ownUseAt = core.lastUse.latest(session.sessionId, 0);
  const rows = await validSessions(core.db.read, {
    accountId: session.accountId,
    sessionId: session.sessionId,
    now,
    idleSince: now - sessionIdleMs,
  });
  return rows.map(({ endsAt, ...row }) => {
    const current = row.id === session.sessionId;
    const lastSeenAt = current ? Math.max(row.lastSeenAt, ownUseAt) : row.lastSeenAt;
    return {
      ...row,
      lastSeenAt,
      expiresAt: Math.min(endsAt, lastSeenAt + sessionIdleMs),
      current,
    };
  });
}
