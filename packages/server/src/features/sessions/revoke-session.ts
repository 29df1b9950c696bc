import type { Core } from "../../kernel/core.ts";
import { ok, refuse, type Result } from "../../ports/result.ts";

/** Ends one of the account's own sessions; it fails on its very next request. */
export async function revokeSession(
  core: Core,
  accountId: string,
  sessionId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom("sessions")
      .where("account_id", "=", accountId)
      .where("id", "=", sessionId)
      .executeTakeFirst();
    return numDeletedRows === 0n ? refuse("not_found") : ok();
  });
}
