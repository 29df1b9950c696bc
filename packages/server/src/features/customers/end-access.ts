import { endAllAccess } from "#kernel/access/account-sessions.ts";
import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse, type Result } from "#ports/result.ts";

/**
 * For an account whose sessions or keys somebody else may have: all of them end at once. The password
 * stays, and whoever knows it may sign in again.
 */
export async function endAccess(
  core: Core,
  name: string,
): Promise<Result<{ readonly username: string }>> {
  const username = name.toLowerCase();
  return core.db.write(async (tx) => {
    const account = await tx
      .selectFrom("accounts")
      .select("id")
      .where("username", "=", username)
      .executeTakeFirst();
    if (account === undefined) {
      return refuse("not_found", { message: `There is no account ${username}.` });
    }
    await lockAccount(tx, account.id);
    await endAllAccess(tx, account.id);
    const deed = { actor: "system", ipAddress: "", action: "account.end_access" };
    await audit(tx, core, { ...deed, subject: account.id });
    return ok({ username });
  });
}
