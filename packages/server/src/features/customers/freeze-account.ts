import { setFrozen } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import { lockOpenAccount } from "#kernel/closed-account.ts";
import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { selectAccounts, type AccountSummary } from "./account-summary.ts";
import { readReason } from "./reason.ts";

interface FreezeInput {
  readonly accountId: string;
  readonly reason: string;
}

/** Makes the account read-only. Its servers keep running. */
export function freezeAccount(core: Core, call: OperatorCall, input: FreezeInput) {
  return changeFreeze(core, call, input, true);
}

export function unfreezeAccount(core: Core, call: OperatorCall, input: FreezeInput) {
  return changeFreeze(core, call, input, false);
}

/** Exactly one of several concurrent calls changes the account and writes an audit entry. */
async function changeFreeze(
  core: Core,
  call: OperatorCall,
  { accountId, ...input }: FreezeInput,
  isFrozen: boolean,
): Promise<Result<AccountSummary>> {
  const reason = readReason(input.reason);
  if (!reason.ok) return reason;
  return core.db.write(async (tx) => {
    const freeze = isFrozen ? { at: core.clock.now(), reason: reason.value } : null;
    const open = await lockOpenAccount(tx, accountId);
    if (!open.ok) return open;
    const isChanged = await setFrozen(tx, accountId, freeze);
    const account = await selectAccounts(tx)
      .where("accounts.id", "=", accountId)
      // Even when nothing changed, the lock makes the commit wait for a synchronous standby.
      .forNoKeyUpdate("accounts")
      .executeTakeFirst();
    if (account === undefined) return refuse("not_found");
    if (isChanged) {
      const action = isFrozen ? "account.freeze" : "account.unfreeze";
      await audit({ tx, core, call }, action, accountId, { reason: reason.value });
    }
    return ok(account);
  });
}
