import type { Tx } from "#ports/db.ts";
import type { Schema } from "#ports/schema.ts";
import { ownerColumn, type PasskeyOwner, type Side } from "./owner.ts";

/** Every write to `passkeys`. */

type NewPasskey = Omit<Schema["passkeys"], "account_id" | "operator_id" | "last_used_at">;

export async function insertPasskey(tx: Tx, owner: PasskeyOwner, row: NewPasskey): Promise<void> {
  await tx
    .insertInto("passkeys")
    .values({ ...row, [ownerColumn(owner.side)]: owner.id })
    .execute();
}

export interface StoredPasskey {
  readonly id: string;
  readonly owner: PasskeyOwner;
  readonly publicKey: string;
  readonly counter: number;
}

/** Finds the passkey of a credential. The other side's passkeys do not exist here. */
export async function findPasskey(
  db: Tx,
  side: Side,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const row = await db
    .selectFrom("passkeys")
    .select(["id", "public_key", "counter", `${ownerColumn(side)} as ownerId`])
    .where("credential_id", "=", credentialId)
    .where(ownerColumn(side), "is not", null)
    .executeTakeFirst();
  if (row === undefined || row.ownerId === null) return undefined;
  const { id, public_key: publicKey, counter, ownerId } = row;
  return { id, publicKey, counter, owner: { side, id: ownerId } };
}

/**
 * Stores the use of a passkey. False if it was removed meanwhile, or if its counter did not grow, which means that a
 * copy has been used. Authenticators that do not count always send 0.
 */
export async function recordUse(
  tx: Tx,
  passkeyId: string,
  { counter, isBackedUp, now }: { counter: number; isBackedUp: boolean; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("passkeys")
    .set({ counter, backed_up: isBackedUp ? 1 : 0, last_used_at: now })
    .where("id", "=", passkeyId)
    .where("counter", counter === 0 ? "=" : "<", counter)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes one of the owner's own passkeys and returns its name. Undefined when they have no such passkey. */
export async function deletePasskey(
  tx: Tx,
  owner: PasskeyOwner,
  id: string,
): Promise<{ readonly name: string } | undefined> {
  return tx
    .deleteFrom("passkeys")
    .where(ownerColumn(owner.side), "=", owner.id)
    .where("id", "=", id)
    .returning("name")
    .executeTakeFirst();
}

/** Deletes every passkey of the owner, so that none outlives a recovery or a reset. */
export async function deletePasskeys(tx: Tx, owner: PasskeyOwner): Promise<void> {
  await tx.deleteFrom("passkeys").where(ownerColumn(owner.side), "=", owner.id).execute();
}
