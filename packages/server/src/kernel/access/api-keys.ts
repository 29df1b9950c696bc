import type { Tx } from "#ports/db.ts";
import type { Schema } from "#ports/schema.ts";

export async function addApiKey(tx: Tx, key: Schema["api_keys"]): Promise<void> {
  await tx.insertInto("api_keys").values(key).execute();
}

/** Stores the last use, unless one within the last `everyMs` is stored. */
export async function touchApiKey(
  tx: Tx,
  {
    keyId,
    now,
    everyMs,
  }: { readonly keyId: string; readonly now: number; readonly everyMs: number },
): Promise<void> {
  await tx
    .updateTable("api_keys")
    .set({ last_used_at: now })
    .where("id", "=", keyId)
    .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<=", now - everyMs)]))
    .execute();
}

/** Deletes the account's expired keys and returns their ids. */
export async function deleteExpiredApiKeys(
  tx: Tx,
  accountId: string,
  now: number,
): Promise<readonly string[]> {
  const deleted = await tx
    .deleteFrom("api_keys")
    .where("account_id", "=", accountId)
    .where("expires_at", "<=", now)
    .returning("id")
    .execute();
  return deleted.map(({ id }) => id).toSorted();
}

/** Deletes one of the account's own keys. False when it has no such key. */
export async function deleteApiKey(tx: Tx, accountId: string, keyId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("api_keys")
    .where("account_id", "=", accountId)
    .where("id", "=", keyId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function deleteAllApiKeys(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom("api_keys").where("account_id", "=", accountId).execute();
}
