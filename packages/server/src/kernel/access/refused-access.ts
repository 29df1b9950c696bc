import type { Refusal, Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";

type RefusedAction =
  | "session.refuse"
  | "account.refuse_recovery"
  | "account.refuse_password"
  | "account.refuse_second_factor"
  | "contact.refuse_code"
  | "passkey.refuse_counter"
  | "operator.refuse_sign_in"
  | "operator.refuse_second_factor"
  | "operator.refuse_password";

interface RefusedAccess extends Omit<Refusal, "code"> {
  readonly action: RefusedAction;
  /** The account or operator of the attempt; undefined if the username is unknown. */
  readonly ownerId: string | undefined;
}

/**
 * Records a refused sign-in, recovery or password change. The entry names the account or operator but never the typed
 * username, which may be a password. Rate limits bound the number of entries.
 */
export async function refuseAccess(
  core: Core,
  client: Client,
  { action, ownerId, ...details }: RefusedAccess,
): Promise<Result<never>> {
  const call = { actor: "nobody", client };
  await core.db.write(async (tx) => {
    await audit({ tx, core, call }, action, ownerId ?? "unknown");
    return ok();
  });
  return refuse("invalid_credentials", details);
}
