import { audit } from "#kernel/audit.ts";
import { replacePasswordHash } from "#kernel/access/accounts.ts";
import { endAllAccess } from "#kernel/access/account-sessions.ts";
import { clientLane } from "#kernel/access/client-network.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { tellContact } from "#kernel/mails.ts";
import { hashNewPassword, tryPassword } from "#kernel/access/password-attempts.ts";
import { checkNewPassword } from "#kernel/access/password-rules.ts";
import { giveBackAttempts } from "#kernel/rate-limits.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import { signInAttempts } from "#kernel/access/sign-in-attempts.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

interface PasswordChange {
  readonly username: string;
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Changes the password and ends every session and API key, including the caller's session. */
export async function changePassword(
  core: Core,
  call: CustomerCall,
  input: PasswordChange,
): Promise<Result<void>> {
  const { accountId, client } = call;
  const allowed = checkNewPassword("newPassword", input.newPassword, input.username);
  if (!allowed.ok) return allowed;

  // A wrong current password counts as a failed sign-in, so that a stolen session cannot be used to guess.
  const attempts = signInAttempts(client, input.username, "account");
  const guarded = { attempts, lane: clientLane(client, "account") };
  const checked = await tryPassword(core, guarded, input.currentPassword, () =>
    core.db.read
      .selectFrom("accounts")
      .select("password_hash")
      .where("id", "=", accountId)
      .executeTakeFirst(),
  );
  if (!checked.ok) return checked;
  const { owner, isRight } = checked.value;
  if (owner === undefined || !isRight) {
    return refuseAccess(core, client, {
      action: "account.refuse_password",
      ownerId: accountId,
      message: "The current password is incorrect.",
    });
  }
  const newHash = await hashNewPassword(core, guarded, input.newPassword);
  if (!newHash.ok) return newHash;

  return core.db.write(async (tx) => {
    // Only if the hash is still the verified one: a concurrent recovery must win.
    const hashes = { old: owner.password_hash, new: newHash.value };
    const isReplaced = await replacePasswordHash(tx, accountId, hashes);
    if (!isReplaced) return refuse("invalid_credentials");
    await giveBackAttempts(tx, core.rules, attempts);
    await endAllAccess(tx, accountId);
    const notice = { kind: "SECURITY", topic: "account.password_changed" } as const;
    await tellContact({ tx, core }, accountId, notice);
    await audit({ tx, core, call }, "account.change_password", accountId);
    return ok();
  });
}
