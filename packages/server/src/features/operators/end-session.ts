import { endOperatorSession } from "#kernel/access/operator-sessions.ts";
import { audit } from "#kernel/audit.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";

/** Ends a session of any operator. */
export async function endSession(
  core: Core,
  call: OperatorCall,
  { operatorId, sessionId }: { readonly operatorId: string; readonly sessionId: string },
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    const isEnded = await endOperatorSession(tx, operatorId, sessionId);
    if (!isEnded) return refuse("not_found");
    await audit({ tx, core, call }, "operator.end_session", operatorId, { sessionId });
    return ok();
  });
}
