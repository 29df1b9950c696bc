import { listSessions, type SessionRecord } from "#features/sessions/list-sessions.ts";
import { revokeSession } from "#features/sessions/revoke-session.ts";
import { signIn } from "#features/sessions/sign-in.ts";
import { signOut } from "#features/sessions/sign-out.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { accountCookies, clearCookies, setCookies } from "#http/admission/cookies.ts";

type Sessions = "signIn" | "signOut" | "listSessions" | "revokeSession";

export function sessionHandlers(core: Core): Handlers<Sessions> {
  return {
    signIn: async ({ core, client, body, presentedSessionToken }) => {
      const result = await signIn(core, client, { ...body, presentedSessionToken });
      if (!result.ok) return result;
      const { username, csrfToken } = result.value;
      return ok({
        status: 200,
        body: { username, csrfToken },
        cookies: setCookies(accountCookies, result.value),
      });
    },
    signOut: async ({ core, caller, session }) => {
      const result = await signOut(core, caller, session.sessionId);
      if (!result.ok) return result;
      return ok({ status: 204, body: null, cookies: clearCookies(accountCookies) });
    },
    listSessions: async ({ session }) => {
      const sessions = await listSessions(core, session);
      return ok({
        status: 200,
        body: {
          sessions: sessions.map(sessionOnWire),
        },
      });
    },
    revokeSession: async ({ core, caller, parameters }) => {
      const result = await revokeSession(core, caller, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}

export function sessionOnWire(record: SessionRecord) {
  return {
    ...record,
    createdAt: isoTime(record.createdAt),
    lastSeenAt: isoTime(record.lastSeenAt),
    expiresAt: isoTime(record.expiresAt),
  };
}
