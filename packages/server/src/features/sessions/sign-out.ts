import { endSession } from "#kernel/access/account-sessions.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";

/** Ends the caller's session. */
export async function signOut(
  core: Core,
  call: CustomerCall,
  sessionId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    await endSession(tx, call.accountId, sessionId);
    await audit({ tx, core, call }, "session.end", sessionId);
    return ok();
  });
}
