import type { Core } from "../../kernel/core.ts";
import { ok, refuse, type Result } from "../../ports/result.ts";

/** Forgets one of the account's own saved keys. */
export async function removeSshKey(
  core: Core,
  accountId: string,
  sshKeyId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("ssh_keys")
      .where("account_id", "=", accountId)
      .where("id", "=", sshKeyId)
      .executeTakeFirst();
    return numDeletedRows === 0n ? refuse("not_found") : ok();
  });
}
