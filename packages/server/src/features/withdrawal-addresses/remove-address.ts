import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import { deleteAddress } from "#kernel/withdrawal-guard.ts";
import type { Result } from "#ports/result.ts";

/** Removes one of the account's own saved addresses at once, which can only narrow where money goes. */
export async function removeWithdrawalAddress(
  core: Core,
  call: CustomerCall,
  addressId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    const removed = await deleteAddress(tx, call.accountId, addressId);
    if (removed === undefined) return refuse("not_found");
    await audit({ tx, core, call }, "withdrawal_address.remove", addressId, removed);
    return ok();
  });
}
