import type { Core } from "../../kernel/core.ts";
import { ok, refuse, type Result } from "../../ports/result.ts";

/** Ends one of the account's own keys; it fails on its very next request. */
export async function revokeApiKey(
  core: Core,
  accountId: string,
  keyId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("api_keys")
      .where("account_id", "=", accountId)
      .where("id", "=", keyId)
      .executeTakeFirst();
    return numDeletedRows === 0n ? refuse("not_found") : ok();
  });
}
