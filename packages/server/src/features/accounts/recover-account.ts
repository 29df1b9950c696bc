import { audit } from "#kernel/audit.ts";
import { useRecoveryCode } from "#kernel/access/accounts.ts";
import { endAllAccess } from "#kernel/access/account-sessions.ts";
import { clientLane } from "#kernel/access/client-network.ts";
import type { Client, Core } from "#kernel/core.ts";
import { countAttempts, hashNewPassword } from "#kernel/access/password-attempts.ts";
import { checkNewPassword } from "#kernel/access/password-rules.ts";
import { newRecoveryCode, normalizeRecoveryCode } from "#kernel/access/readable-code.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import { hashSecret, sameText } from "#kernel/access/secrets.ts";
import { ok, refuse, type Result } from "#ports/result.ts";

/** Changes a lost password with the recovery code, which is used up and replaced. Nobody is signed in. */
export async function recoverAccount(
  core: Core,
  client: Client,
  input: { readonly username: string; readonly recoveryCode: string; readonly newPassword: string },
): Promise<Result<{ readonly recoveryCode: string }>> {
  const username = input.username.toLowerCase();
  const allowed = checkNewPassword("newPassword", input.newPassword, username);
  if (!allowed.ok) return allowed;

  const lane = clientLane(client, "account");
  // The address first: beyond its limit, invented usernames do not write even for a moment.
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
    .executeTakeFirst();
  const typedHash = hashSecret(normalizeRecoveryCode(input.recoveryCode));
  // Hashed for everybody, so that timing does not tell whether the code or the name was right.
  const passwordHash = await hashNewPassword(core, { attempts, lane }, input.newPassword);
  if (!passwordHash.ok) return passwordHash;
  if (account === undefined || !sameText(account.recovery_hash, typedHash)) {
    return refuseAccess(core, client, { action: "account.refuse_recovery", ownerId: account?.id });
  }

  const recoveryCode = newRecoveryCode(core.random);
  return core.db.write(async (tx) => {
    // The code is part of the condition: of many concurrent tries exactly one finds it unused.
    const isRecovered = await useRecoveryCode(tx, account.id, {
      usedHash: typedHash,
      nextHash: hashSecret(normalizeRecoveryCode(recoveryCode)),
      passwordHash: passwordHash.value,
    });
    if (!isRecovered) return refuse("invalid_credentials");
    await endAllAccess(tx, account.id);
    const call = { accountId: account.id, client };
    await audit({ tx, core, call }, "account.recover", account.id);
    return ok({ recoveryCode });
  });
}
