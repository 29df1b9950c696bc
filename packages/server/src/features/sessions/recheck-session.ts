import { lockAccount } from "#kernel/access/accounts.ts";
import type { Core } from "#kernel/core.ts";
import { isLive } from "#kernel/access/session-secrets.ts";
import type { Tx } from "#ports/db.ts";
import { preparedOne } from "#kernel/sql/prepared.ts";
import type { AccountSession } from "./authenticate-session.ts";

const findSession = preparedOne(["sessionId"], (db, { sessionId }: { sessionId: string }) =>
  db
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.account_id")
    .select([
      "accounts.frozen_at as frozenAt",
      "sessions.last_seen_at as lastSeenAt",
      "sessions.ends_at as endsAt",
    ])
    .where("sessions.id", "=", sessionId),
);

/**
 * The session as of this transaction. Undefined once it has ended. The account is locked first, so a recovery,
 * password change or freeze comes before this lookup or after the commit.
 */
export async function recheckSession(
  core: Core,
  tx: Tx,
  { accountId, sessionId }: Pick<AccountSession, "accountId" | "sessionId">,
): Promise<Pick<AccountSession, "frozenAt"> | undefined> {
  await lockAccount(tx, accountId);
  const session = await findSession(tx, { sessionId });
  return session !== undefined && isLive(core, { sessionId, ...session }) ? session : undefined;
}
