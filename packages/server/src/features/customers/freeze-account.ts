import { setFrozen } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/access/operator.ts";
import { ok, refuse, type Result } from "#ports/result.ts";
import { selectAccounts, type AccountSummary } from "./account-summary.ts";
import { readReason } from "./reason.ts";

type Wish = { readonly reason: string };

/** From now on the account reads and changes nothing. What it has ordered goes on. */
export function freezeAccount(core: Core, call: OperatorCall, accountId: string, wish: Wish) {
  return changeFreeze(core, call, accountId, wish, true);
}

export function unfreezeAccount(core: Core, call: OperatorCall, accountId: string, wish: Wish) {
  return changeFreeze(core, call, accountId, wish, false);
}

/** The condition is in the statement: of several at once one changes it, and one entry says so. */
async function changeFreeze(
  core: Core,
  { operator, client }: OperatorCall,
  accountId: string,
  wish: Wish,
  isFrozen: boolean,
): Promise<Result<AccountSummary>> {
  const reason = readReason(wish.reason);
  if (!reason.ok) return reason;
  return core.db.write(async (tx) => {
    const freeze = isFrozen ? { at: core.clock.now(), reason: reason.value } : null;
    const isChanged = await setFrozen(tx, accountId, freeze);
    const account = await selectAccounts(tx)
      .where("accounts.id", "=", accountId)
      // Where nothing was left to change, the lock makes the commit wait for a standby all the same.
      .forNoKeyUpdate("accounts")
      .executeTakeFirst();
    if (account === undefined) return refuse("not_found");
    if (isChanged) {
      await audit(tx, core, {
        actor: operator.operatorId,
        action: isFrozen ? "account.freeze" : "account.unfreeze",
        subject: accountId,
        detail: { reason: reason.value },
        ipAddress: client.ipAddress,
      });
    }
    return ok(account);
  });
}
