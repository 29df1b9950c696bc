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
    await tx
      .deleteFrom("operator_sessions")
      .where("operator_id", "=", operatorId)
      .where("id", "=", sessionId)
      .execute();
    await audit(tx, core, {
      actor: operatorId,
      action: "operator.sign_out",
      subject: operatorId,
      ipAddress: client.ipAddress,
    });
    return ok();
  });
}
