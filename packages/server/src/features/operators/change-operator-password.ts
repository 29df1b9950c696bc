import { audit } from "#kernel/audit.ts";
import { clientLane } from "#kernel/access/client-network.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { hashNewPassword, tryPassword } from "#kernel/access/password-attempts.ts";
import { checkNewPassword } from "#kernel/access/password-rules.ts";
import { giveBackAttempts } from "#kernel/rate-limits.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import { signInAttempts } from "#kernel/access/sign-in-attempts.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { replacePassword } from "./replace-password.ts";

/** Changes the password and ends every session, including the caller's. The second factor stays. */
export async function changeOperatorPassword(
  core: Core,
  call: OperatorCall,
  input: { readonly currentPassword: string; readonly newPassword: string },
): Promise<Result<void>> {
  const { operator, client } = call;
  const { operatorId, username } = operator;
  const allowed = checkNewPassword("newPassword", input.newPassword, username);
  if (!allowed.ok) return allowed;

  // A wrong current password counts as a failed sign-in, so that a stolen session cannot be used to guess.
  const attempts = signInAttempts(client, username, "operator");
  const guarded = { attempts, lane: clientLane(client, "operator") };
  const checked = await tryPassword(core, guarded, input.currentPassword, () =>
    core.db.read
      .selectFrom("operators")
      .select("password_hash")
      .where("id", "=", operatorId)
      .executeTakeFirst(),
  );
  if (!checked.ok) return checked;
  const { owner, isRight } = checked.value;
  if (owner === undefined || !isRight) {
    return refuseAccess(core, client, {
      action: "operator.refuse_password",
      ownerId: operatorId,
      message: "The current password is incorrect.",
    });
  }
  const newHash = await hashNewPassword(core, guarded, input.newPassword);
  if (!newHash.ok) return newHash;

  return core.db.write(async (tx) => {
    const hashes = { old: owner.password_hash, new: newHash.value };
    if (!(await replacePassword(tx, operatorId, hashes))) return refuse("invalid_credentials");
    await giveBackAttempts(tx, core.rules, attempts);
    await audit({ tx, core, call }, "operator.change_password", operatorId);
    return ok();
  });
}
