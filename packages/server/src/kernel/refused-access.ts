import { ok, refuse, type Refusal, type Result } from "../ports/result.ts";
import { audit } from "./audit.ts";
import type { Client, Core } from "./core.ts";

/**
 * Records a refused sign-in, recovery or password change. Only the account is named, never what was
 * typed for a username: it may be a password. The rate limits bound how many of these there can be.
 */
export async function refuseAccess(
  core: Core,
  client: Client,
  action: "session.refuse" | "account.refuse_recovery" | "account.refuse_password",
  accountId: string | undefined,
  details: Omit<Refusal, "code"> = {},
): Promise<Result<never>> {
  const subject = accountId ?? "unknown";
  await core.db.write(async (tx) => {
    await audit(tx, core, { actor: "nobody", action, subject, ipAddress: client.ipAddress });
    return ok();
  });
  return refuse("invalid_credentials", details);
}
