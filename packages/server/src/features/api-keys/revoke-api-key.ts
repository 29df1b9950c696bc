import { deleteApiKey } from "#kernel/access/api-keys.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/** Revokes one of the account's own keys. The next request with it fails. */
export async function revokeApiKey(
  core: Core,
  call: CustomerCall,
  keyId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    if (!(await deleteApiKey(tx, call.accountId, keyId))) return refuse("not_found");
    await audit({ tx, core, call }, "api_key.revoke", keyId);
    return ok();
  });
}
