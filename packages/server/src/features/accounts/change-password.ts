import { audit } from "#kernel/audit.ts";
import { replacePasswordHash } from "#kernel/access/accounts.ts";
import { endAllAccess } from "#kernel/access/account-sessions.ts";
import { clientLane } from "#kernel/access/client-network.ts";
import type { Client, Core } from "#kernel/core.ts";
import { hashNewPassword, tryPassword } from "#kernel/access/password-attempts.ts";
import { checkNewPassword } from "#kernel/access/password-rules.ts";
import { giveBackAttempts } from "#kernel/rate-limits.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import { signInAttempts } from "#kernel/access/sign-in-attempts.ts";
import { ok, refuse, type Result } from "#ports/result.ts";

/** Changes the password and ends every session and API key, the asking session too. */
export async function changePassword(
  core: Core,
  client: Client,
  account: { readonly accountId: string; readonly username: string },
  input: { readonly currentPassword: string; readonly newPassword: string },
): Promise<Result<void>> {
  const allowed = checkNewPassword("newPassword", input.newPassword, account.username);
  if (!allowed.ok) return allowed;

  // A wrong current password counts as a failed sign-in: a stolen session must not be a way to guess.
  const attempts = signInAttempts(client, account.username, "account");
  const guarded = { attempts, lane: clientLane(client, "account") };
  const looked = await tryPassword(core, guarded, input.currentPassword, () =>
    core.db.read
      .selectFrom("accounts")
      .select("password_hash")
      .where("id", "=", account.accountId)
      .executeTakeFirst(),
  );
  if (!looked.ok) return looked;
  const { owner, isRight } = looked.value;
  if (owner === undefined || !isRight) {
    return refuseAccess(core, client, "account.refuse_password", account.accountId, {
      message: "The current password is not right.",
    });
  }
  const newHash = await hashNewPassword(core, guarded, input.newPassword);
  if (!newHash.ok) return newHash;

  return core.db.write(async (tx) => {
    // Conditional on the hash that was verified: a recovery in between must win, not be undone.
    const hashes = { old: owner.password_hash, new: newHash.value };
    const isReplaced = await replacePasswordHash(tx, account.accountId, hashes);
    if (!isReplaced) return refuse("invalid_credentials");
    await giveBackAttempts(tx, core.rules, attempts);
    await endAllAccess(tx, account.accountId);
    await audit(tx, core, {
      actor: account.accountId,
      action: "account.change_password",
      subject: account.accountId,
      ipAddress: client.ipAddress,
    });
    return ok();
  });
}
