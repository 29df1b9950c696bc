import type { Tx } from "#ports/db.ts";
import { endOperatorSessions } from "#kernel/access/operator-sessions.ts";

/**
 * Replaces the verified password and ends every session. False when the password has changed since it was verified.
 * The second factor stays.
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
