import type { Tx } from "#ports/db.ts";
import { endOperatorSessions } from "#kernel/access/operator-sessions.ts";

/**
 * Puts a new password in the place of the one that was looked at, and ends every session: whoever
 * knew the old one is out. Says no when another change came first. The second factor stays.
 */
export async function replacePassword(
  tx: Tx,
  operatorId: string,
  hashes: { readonly old: string; readonly new: string },
): Promise<boolean> {
  const changed = await tx
    .updateTable("operators")
    .set({ password_hash: hashes.new })
    .where("id", "=", operatorId)
    .where("password_hash", "=", hashes.old)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) return false;
  await endOperatorSessions(tx, operatorId);
  return true;
}
