import { endSession } from "#kernel/access/account-sessions.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/** Ends one of the account's own sessions. The next request with it fails. */
export async function revokeSession(
  core: Core,
  call: CustomerCall,
  sessionId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    if (!(await endSession(tx, call.accountId, sessionId))) return refuse("not_found");
    await audit({ tx, core, call }, "session.revoke", sessionId);
    return ok();
  });
}
