import { closeAccountRow } from "#kernel/access/accounts.ts";
import { endAllAccess } from "#kernel/access/account-sessions.ts";
import { clientLane } from "#kernel/access/client-network.ts";
import { tryPassword } from "#kernel/access/password-attempts.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import { signInAttempts } from "#kernel/access/sign-in-attempts.ts";
import { audit, eraseAudit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Erase } from "#kernel/closed-account.ts";
import type { Core } from "#kernel/core.ts";
import { giveBackAttempts } from "#kernel/rate-limits.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { requireEmpty } from "./require-empty.ts";

interface Closure {
  readonly username: string;
  readonly password: string;
  /** What each noun erases, in the order in which rows are locked. */
  readonly erasures: readonly Erase[];
}

/** Closes an empty account: access ends, and personal data is erased. Accounting records stay. */
export async function closeAccount(
  core: Core,
  call: CustomerCall,
  { username, password, erasures }: Closure,
): Promise<Result<void>> {
  const { accountId, client } = call;
  // A wrong password counts as a failed sign-in, so that a stolen session cannot be used to guess.
  const attempts = signInAttempts(client, username, "account");
  const guarded = { attempts, lane: clientLane(client, "account") };
  const checked = await tryPassword(core, guarded, password, () =>
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
      message: "The password is incorrect.",
    });
  }
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    const now = core.clock.now();
    // Only if the hash is still the verified one: a concurrent recovery must win.
    const isClosed = await closeAccountRow(tx, accountId, {
      passwordHash: owner.password_hash,
      now,
    });
    if (!isClosed) return refuse("invalid_credentials");
    const empty = await requireEmpty(tx, accountId);
    if (!empty.ok) return empty;
    await giveBackAttempts(tx, core.rules, attempts);
    await endAllAccess(tx, accountId);
    for (const erase of erasures) await erase(step, accountId);
    await audit(step, "account.close", accountId);
    await eraseAudit(step, accountId);
    return ok();
  });
}
