import { ok, refuse, type Refusal, type Result } from "#ports/result.ts";
import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";

type RefusedAction =
  | "session.refuse"
  | "account.refuse_recovery"
  | "account.refuse_password"
  | "operator.refuse_sign_in"
  | "operator.refuse_second_factor"
  | "operator.refuse_password";

/**
 * Records a refused sign-in, recovery or password change. Only the account or the operator is named,
 * never what was typed for a username: it may be a password. The rate limits bound how many of these
 * there can be.
 */
export async function refuseAccess(
  core: Core,
  client: Client,
  action: RefusedAction,
  ownerId: string | undefined,
  details: Omit<Refusal, "code"> = {},
): Promise<Result<never>> {
  const subject = ownerId ?? "unknown";
  await core.db.write(async (tx) => {
    await audit(tx, core, { actor: "nobody", action, subject, ipAddress: client.ipAddress });
    return ok();
  });
  return refuse("invalid_credentials", details);
}
