import { audit } from "#kernel/audit.ts";
import type { Erase } from "#kernel/closed-account.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/** Deletes one of the account's own saved keys. */
export async function removeSshKey(
  core: Core,
  call: CustomerCall,
  sshKeyId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("ssh_keys")
      .where("account_id", "=", call.accountId)
      .where("id", "=", sshKeyId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return refuse("not_found");
    await audit({ tx, core, call }, "ssh_key.remove", sshKeyId);
    return ok();
  });
}

/** Deletes every SSH key of an account that closes. */
export const eraseSshKeys: Erase = async ({ tx }, accountId) => {
  await tx.deleteFrom("ssh_keys").where("account_id", "=", accountId).execute();
};
