import { listSessions } from "#features/sessions/list-sessions.ts";
import { revokeSession } from "#features/sessions/revoke-session.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#ports/clock.ts";
import { ok } from "#ports/result.ts";
import type { Handlers } from "#http/bind.ts";

export function sessionHandlers(core: Core): Handlers<"listSessions" | "revokeSession"> {
  return {
    listSessions: async ({ session }) => {
      const sessions = await listSessions(core, session);
      return ok({
        status: 200,
        body: {
          sessions: sessions.map((record) => ({
            ...record,
            createdAt: isoTime(record.createdAt),
            lastSeenAt: isoTime(record.lastSeenAt),
            expiresAt: isoTime(record.expiresAt),
          })),
        },
      });
    },
    revokeSession: async ({ core, client, account, parameters }) => {
      const result = await revokeSession(core, client, account.accountId, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}
