import { endOperatorSession } from "#kernel/access/operator-sessions.ts";
import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";
import { ok, type Result } from "#ports/result.ts";
import type { OperatorSession } from "./authenticate-operator.ts";

/** Ends the session that asks for it. */
export async function signOutOperator(
  core: Core,
  client: Client,
  { operatorId, sessionId }: OperatorSession,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    await endOperatorSession(tx, operatorId, sessionId);
    await audit(tx, core, {
      actor: operatorId,
      action: "operator.sign_out",
      subject: operatorId,
      ipAddress: client.ipAddress,
    });
    return ok();
  });
}
