import { limits } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";
import { hashSecret } from "#kernel/access/secrets.ts";
import { beginSession, type IssuedSession } from "#kernel/access/session-secrets.ts";
import type { Tx } from "#ports/db.ts";

/**
 * Starts a session; when the operator has as many as allowed, the oldest goes. Whoever calls holds
 * the operator's row, so that counting and adding is safe.
 */
export async function issueOperatorSession(
  tx: Tx,
  core: Core,
  operatorId: string,
  client: Client,
): Promise<IssuedSession> {
  const { issued, row } = beginSession(core, client);
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
    // SQLite takes an offset only after a limit; no operator has this many.
    .limit(1_000_000)
    .offset(limits.operatorSessions);
  const evicted = await tx
    .deleteFrom("operator_sessions")
    .where("id", "in", beyondLimit)
    .returning("id")
    .execute();
  for (const { id: sessionId } of evicted) {
    await audit(tx, core, {
      ...{ actor: operatorId, subject: operatorId, ipAddress: client.ipAddress },
      action: "operator.evict_session",
      detail: { sessionId },
    });
  }
  return issued;
}

/** Ends the session that came with a sign-in, recorded under the operator whose session it was. */
export async function endPresentedSession(
  tx: Tx,
  core: Core,
  client: Client,
  token: string,
): Promise<void> {
  const ended = await tx
    .deleteFrom("operator_sessions")
    .where("token_hash", "=", hashSecret(token))
    .returning(["id", "operator_id"])
    .executeTakeFirst();
  if (ended === undefined) return;
  const { id: sessionId, operator_id: operatorId } = ended;
  await audit(tx, core, {
    ...{ actor: operatorId, subject: operatorId, ipAddress: client.ipAddress },
    action: "operator.sign_out",
    detail: { sessionId, cause: "sign_in" },
  });
}

/** Ends every session of the operator at once. */
export async function endOperatorSessions(tx: Tx, operatorId: string): Promise<void> {
  await tx.deleteFrom("operator_sessions").where("operator_id", "=", operatorId).execute();
}
