import { requireFreshSignIn } from "#kernel/access/fresh-sign-in.ts";
import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { tellContact } from "#kernel/mails.ts";
import { ok, refuse } from "#kernel/result.ts";
import { findSecrets, removeFactor } from "#kernel/second-factor/stored-factor.ts";
import type { Result } from "#ports/result.ts";
import type { RecentSession } from "./begin-totp.ts";

/**
 * Turns the second factor off. The recent sign-in proves it: while the factor is on, no session starts without it, and
 * turning it on ended the others.
 */
export async function removeTotp(
  core: Core,
  call: CustomerCall,
  session: RecentSession,
): Promise<Result<void>> {
  const recent = requireFreshSignIn(core, session.signedInAt, "change the second factor");
  if (!recent.ok) return recent;
  const { accountId } = call;
  return core.db.write(async (tx) => {
    await lockAccount(tx, accountId);
    const owner = { kind: "account", id: accountId } as const;
    if ((await findSecrets(tx, owner)).active === null) {
      return refuse("not_found", { message: "No second factor is set up." });
    }
    await removeFactor(tx, owner);
    const step = { tx, core, call };
    await tellContact(step, accountId, { kind: "SECURITY", topic: "second_factor.off" });
    await audit(step, "account.remove_totp", accountId);
    return ok();
  });
}
