import { requireFreshSignIn } from "#kernel/access/fresh-sign-in.ts";
import { endOtherSessions } from "#kernel/access/account-sessions.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { tellContact } from "#kernel/mails.ts";
import { confirmSetup, type ConfirmedTotp } from "#kernel/second-factor/set-up.ts";
import type { Result } from "#ports/result.ts";
import { setupOf, type RecentSession } from "./begin-totp.ts";

/** Activates the second factor. All other sessions end, because they were started without it. */
export async function confirmTotp(
  core: Core,
  call: CustomerCall,
  session: RecentSession,
  code: string,
): Promise<Result<ConfirmedTotp>> {
  const recent = requireFreshSignIn(core, session.signedInAt, "change the second factor");
  if (!recent.ok) return recent;
  return confirmSetup(core, setupOf(call, session), code, async (step) => {
    await endOtherSessions(step.tx, call.accountId, session.sessionId);
    await tellContact(step, call.accountId, { kind: "SECURITY", topic: "second_factor.on" });
  });
}
