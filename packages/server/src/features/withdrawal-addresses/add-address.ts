import { limits } from "@ironlease/contract";
import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { checkPayable } from "#kernel/destination/check-payable.ts";
import { tellContact } from "#kernel/mails.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import { coolDownMs, saveAddress } from "#kernel/withdrawal-guard.ts";
import type { Result } from "#ports/result.ts";
import type { Asset } from "#ports/settlement.ts";
import type { WithdrawalAddress } from "./list-addresses.ts";

/** Saves an address. Withdrawals can use it at once, and after the cool-down also while they are locked. */
export async function addWithdrawalAddress(
  core: Core,
  call: CustomerCall,
  input: { readonly asset: Asset; readonly destination: string; readonly label: string },
): Promise<Result<WithdrawalAddress>> {
  const { accountId } = call;
  const checked = checkPayable(core.settlement, input);
  if (!checked.ok) return refuseField("destination", checked.message);
  const { asset, label } = input;
  const destination = checked.value;
  return core.db.write(async (tx) => {
    await lockAccount(tx, accountId);
    const saved = await tx
      .selectFrom("withdrawal_addresses")
      .select(["asset", "destination"])
      .where("account_id", "=", accountId)
      .execute();
    if (saved.some((row) => row.asset === asset && row.destination === destination)) {
      return refuse("conflict", { message: "This address is saved already." });
    }
    if (saved.length >= limits.withdrawalAddressesPerAccount) return refuse("limit_reached");
    const id = core.ids.next("withdrawalAddress");
    const createdAt = core.clock.now();
    const row = { id, account_id: accountId, asset, destination, label, created_at: createdAt };
    await saveAddress(tx, row);
    const step = { tx, core, call };
    await tellContact(step, accountId, {
      kind: "SECURITY",
      topic: "withdrawal_address.added",
      detail: { asset },
    });
    await audit(step, "withdrawal_address.add", id, { asset, destination });
    return ok({ id, asset, destination, label, createdAt, usableAt: createdAt + coolDownMs });
  });
}
