import type { Client, Core } from "#kernel/core.ts";
import { csrfTokenOf, hashSecret } from "./secrets.ts";

/** The secrets of a new session. Only its owner's cookies hold them. */
export interface IssuedSession {
  readonly sessionToken: string;
  readonly csrfToken: string;
  readonly maxAgeSeconds: number;
}

/** A new session: what its owner receives, and the row to store. */
export function beginSession(core: Core, client: Client) {
  const now = core.clock.now();
  const { sessionTotalMs } = core.rules;
  const sessionToken = core.random.bytes(32).toString("base64url");
  const issued: IssuedSession = {
    sessionToken,
    csrfToken: csrfTokenOf(sessionToken),
    maxAgeSeconds: Math.floor(sessionTotalMs / 1000),
  };
  const row = {
    id: core.ids.next("session"),
    token_hash: hashSecret(sessionToken),
    created_at: now,
    last_seen_at: now,
    ends_at: now + sessionTotalMs,
    ip_address: client.ipAddress,
    user_agent: client.userAgent,
  };
  return { issued, row };
}

/** A stored session. */
interface StoredSession {
  readonly sessionId: string;
  readonly endsAt: number;
  readonly lastSeenAt: number;
}

/** Whether a stored session is neither expired nor idle for too long. */
export function isLive(core: Core, { sessionId, endsAt, lastSeenAt }: StoredSession): boolean {
  const now = core.clock.now();
  const lastUse = core.lastUse.latest(sessionId, lastSeenAt);
  return now < endsAt && now < lastUse + core.rules.sessionIdleMs;
}
