import { limits } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { OperatorCall, Step } from "#kernel/call.ts";
import type { Tx } from "#ports/db.ts";
import { hashSecret } from "./secrets.ts";
import { beginSession, type IssuedSession } from "./session-secrets.ts";

/**
 * Starts a session. When the operator has as many as allowed, their oldest session ends. The caller holds the
 * operator's row, which makes counting and adding safe.
 */
export async function issueOperatorSession(step: Step<OperatorCall>): Promise<IssuedSession> {
  const { tx, core, call } = step;
  const { operatorId } = call.operator;
  const { issued, row } = beginSession(core, call.client);
  await tx
    .insertInto("operator_sessions")
    .values({ ...row, operator_id: operatorId })
    .execute();
  const beyondLimit = tx
    .selectFrom("operator_sessions")
    .select("id")
    .where("operator_id", "=", operatorId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    // SQLite takes an offset only after a limit. No operator has this many sessions.
    .limit(1_000_000)
    .offset(limits.operatorSessions);
  const evicted = await tx
    .deleteFrom("operator_sessions")
    .where("id", "in", beyondLimit)
    .returning("id")
    .execute();
  for (const { id: sessionId } of evicted) {
    await audit(step, "operator.evict_session", operatorId, { sessionId });
  }
  return issued;
}

interface Use {
  readonly sessionId: string;
  readonly now: number;
  readonly everyMs: number;
}

/** Stores the last use, unless one within the last `everyMs` is stored. */
export async function touchOperatorSession(
  tx: Tx,
  { sessionId, now, everyMs }: Use,
): Promise<void> {
  await tx
    .updateTable("operator_sessions")
    .set({ last_seen_at: now })
    .where("id", "=", sessionId)
    .where("last_seen_at", "<=", now - everyMs)
    .execute();
}

/** False when the operator has no such session. */
export async function endOperatorSession(
  tx: Tx,
  operatorId: string,
  sessionId: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("operator_sessions")
    .where("operator_id", "=", operatorId)
    .where("id", "=", sessionId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Ends the session that came with a sign-in and records it under the operator it belonged to. */
export async function endPresentedSession({ tx, core, call }: Step, token: string): Promise<void> {
  const ended = await tx
    .deleteFrom("operator_sessions")
    .where("token_hash", "=", hashSecret(token))
    .returning(["id", "operator_id"])
    .executeTakeFirst();
  if (ended === undefined) return;
  const { id: sessionId, operator_id: operatorId } = ended;
  const step = { tx, core, call: { actor: operatorId, client: call.client } };
  await audit(step, "operator.sign_out", operatorId, { sessionId, cause: "sign_in" });
}

/** Ends every session of the operator except one. */
export async function endOtherOperatorSessions(
  tx: Tx,
  operatorId: string,
  sessionId: string,
): Promise<void> {
  await tx
    .deleteFrom("operator_sessions")
    .where("operator_id", "=", operatorId)
    .where("id", "<>", sessionId)
    .execute();
}

export async function endOperatorSessions(tx: Tx, operatorId: string): Promise<void> {
  await tx.deleteFrom("operator_sessions").where("operator_id", "=", operatorId).execute();
}

/** Deletes up to `limit` sessions that were last used at `idleSince` or before, and returns how many. */
export async function sweepOperatorSessions(
  tx: Tx,
  idleSince: number,
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("operator_sessions")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("operator_sessions")
        .select("id")
        .where("last_seen_at", "<=", idleSince)
        .limit(limit),
    )
    .where("last_seen_at", "<=", idleSince)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
