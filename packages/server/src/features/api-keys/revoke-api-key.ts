import { deleteApiKey } from "#kernel/access/api-keys.ts";
import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";
import { ok, refuse, type Result } from "#ports/result.ts";

/** Ends one of the account's own keys; it fails on its very next request. */
export async function revokeApiKey(
  core: Core,
  client: Client,
  accountId: string,
  keyId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    if (!(await deleteApiKey(tx, accountId, keyId))) return refuse("not_found");
    await audit(tx, core, {
      actor: accountId,
      action: "api_key.revoke",
      subject: keyId,
      ipAddress: client.ipAddress,
    });
    return ok();
  });
}
