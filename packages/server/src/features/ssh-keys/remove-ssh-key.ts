import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";
import { ok, refuse, type Result } from "#ports/result.ts";

/** Forgets one of the account's own saved keys. */
export async function removeSshKey(
  core: Core,
  client: Client,
  accountId: string,
  sshKeyId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("ssh_keys")
      .where("account_id", "=", accountId)
      .where("id", "=", sshKeyId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return refuse("not_found");
    await audit(tx, core, {
      actor: accountId,
      action: "ssh_key.remove",
      subject: sshKeyId,
      ipAddress: client.ipAddress,
    });
    return ok();
  });
}
