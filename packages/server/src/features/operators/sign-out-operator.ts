import { endOperatorSession } from "#kernel/access/operator-sessions.ts";
import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import type { OperatorSessionCall } from "./authenticate-operator.ts";

/** Ends the caller's session. */
export async function signOutOperator(
  core: Core,
  call: OperatorSessionCall,
): Promise<Result<void>> {
  const { operatorId, sessionId } = call.operator;
  return core.db.write(async (tx) => {
    await endOperatorSession(tx, operatorId, sessionId);
    await audit({ tx, core, call }, "operator.sign_out", operatorId);
    return ok();
  });
}
