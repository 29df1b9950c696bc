import { endAllAccess } from "#kernel/access/account-sessions.ts";
import { lockAccount } from "#kernel/access/accounts.ts";
import { systemCall } from "#kernel/call.ts";
import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/** Ends every session and API key of an account, in case one was stolen. The password stays valid. */
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
      .where("closed_at", "is", null)
      .executeTakeFirst();
    if (account === undefined) {
      return refuse("not_found", { message: `There is no account ${username}.` });
    }
    await lockAccount(tx, account.id);
    await endAllAccess(tx, account.id);
    await audit({ tx, core, call: systemCall }, "account.end_access", account.id);
    return ok({ username });
  });
}
