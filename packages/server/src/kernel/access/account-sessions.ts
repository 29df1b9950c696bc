import { limits } from "@ironlease/contract";
import type { Tx } from "#ports/db.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Step } from "#kernel/call.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { recordEvent } from "#kernel/outbox/record-event.ts";
import { lockAccount } from "./accounts.ts";
import { deleteAllApiKeys } from "./api-keys.ts";
import { beginSession, type IssuedSession } from "./session-secrets.ts";

/** Starts a session. When the account has as many as allowed, its oldest session ends. */
export async function issueSession(step: Step<CustomerCall>): Promise<IssuedSession> {
  const { tx, core, call } = step;
  const { accountId, client } = call;
  const { issued, row } = beginSession(core, client);
  await lockAccount(tx, accountId);
  await tx
    .insertInto("sessions")
    .values({ ...row, account_id: accountId })
    .execute();
  const beyondLimit = tx
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    // SQLite takes an offset only after a limit. No account has this many sessions.
    .limit(1_000_000)
    .offset(limits.sessionsPerAccount);
  const evicted = await tx
    .deleteFrom("sessions")
    .where("id", "in", beyondLimit)
    .returning("id")
    .execute();
  for (const { id } of evicted) {
    await audit(step, "session.evict", id);
  }
  await recordEvent(step, {
    accountId,
    type: "session.created",
    data: {
      sessionId: row.id,
      createdAt: isoTime(row.created_at),
      ipAddress: row.ip_address,
      userAgent: row.user_agent,
    },
  });
  return issued;
}

interface Use {
  readonly sessionId: string;
  readonly now: number;
  readonly everyMs: number;
}

/** Stores the last use, unless one within the last `everyMs` is stored. */
export async function touchSession(tx: Tx, { sessionId, now, everyMs }: Use): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ last_seen_at: now })
    .where("id", "=", sessionId)
    .where("last_seen_at", "<=", now - everyMs)
    .execute();
}

/** Ends one of the account's own sessions. False when it has no such session. */
export async function endSession(tx: Tx, accountId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Ends the session of a token, whichever account it belongs to. */
export async function endSessionOfToken(tx: Tx, tokenHash: string) {
  return tx
    .deleteFrom("sessions")
    .where("token_hash", "=", tokenHash)
    .returning(["id", "account_id as accountId"])
    .executeTakeFirst();
}

/** Ends every session of the account except one. */
export async function endOtherSessions(
  tx: Tx,
  accountId: string,
  sessionId: string,
): Promise<void> {
  await tx
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .where("id", "<>", sessionId)
    .execute();
}

/** Ends every session and API key of the account, so that a changed password locks out anyone who knew the old one. */
export async function endAllAccess(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom("sessions").where("account_id", "=", accountId).execute();
  await deleteAllApiKeys(tx, accountId);
}

/** Deletes up to `limit` sessions that were last used at `idleSince` or before, and returns how many. */
export async function sweepSessions(tx: Tx, idleSince: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("sessions")
    .where("id", "in", (eb) =>
      eb.selectFrom("sessions").select("id").where("last_seen_at", "<=", idleSince).limit(limit),
    )
    .where("last_seen_at", "<=", idleSince)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
