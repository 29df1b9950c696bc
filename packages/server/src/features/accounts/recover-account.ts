import { audit } from "#kernel/audit.ts";
import { useRecoveryCode } from "#kernel/access/accounts.ts";
import { endAllAccess } from "#kernel/access/account-sessions.ts";
import { clientLane } from "#kernel/access/client-network.ts";
import type { Client, Core } from "#kernel/core.ts";
import { tellContact } from "#kernel/mails.ts";
import { countAttempts, hashNewPassword } from "#kernel/access/password-attempts.ts";
import { deletePasskeys } from "#kernel/passkeys/passkeys.ts";
import { checkNewPassword } from "#kernel/access/password-rules.ts";
import { newRecoveryCode, normalizeRecoveryCode } from "#kernel/access/readable-code.ts";
import { findSecrets, removeFactor } from "#kernel/second-factor/stored-factor.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import { hashSecret, sameText } from "#kernel/access/secrets.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/**
 * Replaces a lost password, given the recovery code, and removes the second factor, which may be lost as well. The code
 * is used up and replaced. No session is started.
 */
export async function recoverAccount(
  core: Core,
  client: Client,
  input: { readonly username: string; readonly recoveryCode: string; readonly newPassword: string },
): Promise<Result<{ readonly recoveryCode: string }>> {
  const username = input.username.toLowerCase();
  const allowed = checkNewPassword("newPassword", input.newPassword, username);
  if (!allowed.ok) return allowed;

  const lane = clientLane(client, "account");
  // The address comes first, so that invented usernames write nothing once its limit is reached.
  const attempts = [
    { limit: "recoveryPerAddress", subject: lane },
    { limit: "recoveryPerAddressAndUsername", subject: `${lane} ${username}` },
  ] as const;
  const taken = await countAttempts(core, attempts);
  if (!taken.ok) return taken;

  const account = await core.db.read
    .selectFrom("accounts")
    .select(["id", "recovery_hash"])
    .where("username", "=", username)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  const typedHash = hashSecret(normalizeRecoveryCode(input.recoveryCode));
  // Hashed in every case, so that timing does not reveal whether the code or the username was right.
  const passwordHash = await hashNewPassword(core, { attempts, lane }, input.newPassword);
  if (!passwordHash.ok) return passwordHash;
  if (account === undefined || !sameText(account.recovery_hash, typedHash)) {
    return refuseAccess(core, client, { action: "account.refuse_recovery", ownerId: account?.id });
  }

  const recoveryCode = newRecoveryCode(core.random);
  return core.db.write(async (tx) => {
    // The used code is in the condition, so exactly one of many concurrent attempts succeeds.
    const isRecovered = await useRecoveryCode(tx, account.id, {
      usedHash: typedHash,
      nextHash: hashSecret(normalizeRecoveryCode(recoveryCode)),
      passwordHash: passwordHash.value,
    });
    if (!isRecovered) return refuse("invalid_credentials");
    const owner = { kind: "account", id: account.id } as const;
    const { active } = await findSecrets(tx, owner);
    await removeFactor(tx, owner);
    await endAllAccess(tx, account.id);
    await deletePasskeys(tx, { side: "account", id: account.id });
    const notice = { kind: "SECURITY", topic: "account.recovered" } as const;
    await tellContact({ tx, core }, account.id, notice);
    const call = { accountId: account.id, client };
    const detail = active === null ? {} : { secondFactor: "removed" };
    await audit({ tx, core, call }, "account.recover", account.id, detail);
    return ok({ recoveryCode });
  });
}
