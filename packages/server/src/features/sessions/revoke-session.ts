import { endSession } from "#kernel/access/account-sessions.ts";
import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";
import { ok, refuse, type Result } from "#ports/result.ts";

/** Ends one of the account's own sessions; it fails on its very next request. */
export async function revokeSession(
  core: Core,
  client: Client,
  accountId: string,
  sessionId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    if (!(await endSession(tx, accountId, sessionId))) return refuse("not_found");
    await audit(tx, core, {
      actor: accountId,
      action: "session.revoke",
      subject: sessionId,
      ipAddress: client.ipAddress,
    });
    return ok();
  });
}
