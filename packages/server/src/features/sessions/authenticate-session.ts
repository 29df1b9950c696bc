import type { Core } from "#kernel/core.ts";
import { touchSession } from "#kernel/access/account-sessions.ts";
import { secretsOf } from "#kernel/access/secrets.ts";
import { listChanges, listsVersion } from "#kernel/lists-version.ts";
import type { Tx } from "#ports/db.ts";
import { preparedLookup } from "#kernel/sql/prepared.ts";
import { ok } from "#kernel/result.ts";

export interface AccountSession {
  readonly sessionId: string;
  readonly accountId: string;
  /** When the customer signed in, with the second factor if it was on. */
  readonly signedInAt: number;
  readonly hasSecondFactor: boolean;
  readonly username: string;
  readonly availableCents: number;
  /** Changes whenever the account's ledger or lists change. */
  readonly listsVersion: string;
  /** Set while an operator has the account frozen: it may read but not change anything. */
  readonly frozenAt: number | null;
  readonly frozenReason: string | null;
}

const maxTouchEveryMs = 60_000;

const findSession = preparedLookup(["tokenHash"], (db, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.account_id")
    .innerJoin("balances", "balances.account_id", "sessions.account_id")
    .select([
      "sessions.id as sessionId",
      "sessions.account_id as accountId",
      "sessions.created_at as signedInAt",
      "accounts.username",
      "accounts.totp_secret as totpSecret",
      "accounts.frozen_at as frozenAt",
      "accounts.frozen_reason as frozenReason",
      "balances.available_cents as availableCents",
      listChanges.as("listChanges"),
      "sessions.last_seen_at as lastSeenAt",
      "sessions.ends_at as endsAt",
    ])
    .where("sessions.token_hash", "=", tokenHash),
);

/**
 * Finds the valid session of a token. Runs on every request, so it is one prepared query, which also returns the data
 * for the most frequent request, reading the account.
 */
export async function authenticateSession(
  core: Core,
  sessionToken: string,
): Promise<AccountSession | undefined> {
  const now = core.clock.now();
  const found = await findSession(core.db.read, { tokenHash: secretsOf(sessionToken).tokenHash });
  if (found === undefined) return undefined;
  const { totpSecret, ...session } = found;
  const version = listsVersion(core.db, session.listChanges);
  const lastSeenAt = core.lastUse.latest(session.sessionId, session.lastSeenAt);
  if (now >= session.endsAt || now >= lastSeenAt + core.rules.sessionIdleMs) return undefined;
  // At most once a minute, more often for short sessions, so that use keeps them alive.
  const touchEveryMs = Math.min(maxTouchEveryMs, core.rules.sessionIdleMs / 4);
  if (now >= lastSeenAt + touchEveryMs) {
    core.lastUse.note(session.sessionId, now, (at) => storeUse(core, session, at, touchEveryMs));
  }
  return { ...session, hasSecondFactor: totpSecret !== null, listsVersion: version };
}

function storeUse(
  core: Core,
  { sessionId, accountId }: Pick<AccountSession, "sessionId" | "accountId">,
  now: number,
  everyMs: number,
): Promise<unknown> {
  const touch = async (tx: Tx) => {
    await touchSession(tx, { sessionId, now, everyMs });
    return ok();
  };
  return core.db.write(touch, undefined, accountId);
}
