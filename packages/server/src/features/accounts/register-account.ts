import { clientLane } from "#kernel/access/client-network.ts";
import { audit } from "#kernel/audit.ts";
import { addAccount } from "#kernel/access/accounts.ts";
import { issueSession } from "#kernel/access/account-sessions.ts";
import type { Client, Core } from "#kernel/core.ts";
import { openBalance } from "#kernel/ledger.ts";
import { countAttempts, hashNewPassword } from "#kernel/access/password-attempts.ts";
import { checkNewPassword } from "#kernel/access/password-rules.ts";
import { newRecoveryCode, normalizeRecoveryCode } from "#kernel/access/readable-code.ts";
import { noteNetwork } from "#kernel/access/seen-networks.ts";
import { hashSecret } from "#kernel/access/secrets.ts";
import type { IssuedSession } from "#kernel/access/session-secrets.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";

export interface RegisteredAccount extends IssuedSession {
  readonly username: string;
  readonly recoveryCode: string;
}

/** Creates an account and signs it in. The recovery code is shown only here. */
export async function registerAccount(
  core: Core,
  client: Client,
  input: { readonly username: string; readonly password: string },
): Promise<Result<RegisteredAccount>> {
  const username = input.username.toLowerCase();
  const allowed = checkNewPassword("password", input.password, username);
  if (!allowed.ok) return allowed;

  const lane = clientLane(client, "account");
  const attempts = [{ limit: "registrationPerAddress", subject: lane }] as const;
  const taken = await countAttempts(core, attempts);
  if (!taken.ok) return taken;

  const passwordHash = await hashNewPassword(core, { attempts, lane }, input.password);
  if (!passwordHash.ok) return passwordHash;
  const recoveryCode = newRecoveryCode(core.random);
  return core.db.write(
    async (tx) => {
      const id = core.ids.next("account");
      await addAccount(tx, {
        id,
        username,
        password_hash: passwordHash.value,
        recovery_hash: hashSecret(normalizeRecoveryCode(recoveryCode)),
        created_at: core.clock.now(),
      });
      await openBalance(tx, id);
      const step = { tx, core, call: { accountId: id, client } };
      await noteNetwork(step);
      await audit(step, "account.register", id);
      return ok({ username, recoveryCode, ...(await issueSession(step)) });
    },
    { accounts_username_unique: { code: "username_taken" } },
  );
}
