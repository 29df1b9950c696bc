import { endSession } from "#kernel/access/account-sessions.ts";
import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";
import { ok, type Result } from "#ports/result.ts";
import type { AccountSession } from "./authenticate-session.ts";

/** Ends the session that asks for it. */
export async function signOut(
  core: Core,
  client: Client,
  session: AccountSession,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    await endSession(tx, session.accountId, session.sessionId);
    await audit(tx, core, {
      actor: session.accountId,
      action: "session.end",
      subject: session.sessionId,
      ipAddress: client.ipAddress,
    });
    return ok();
  });
}
