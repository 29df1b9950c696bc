import type { Tx } from "#ports/db.ts";
import type { Schema } from "#ports/schema.ts";
import type { Erase } from "./closed-account.ts";
import { prepared } from "./sql/prepared.ts";

/** Every write to the saved withdrawal addresses and to the withdrawal lock. */

/** How long a new address waits until it is usable, and an unlock until it takes effect. */
export const coolDownMs = 48 * 60 * 60_000;

export interface WithdrawalLock {
  readonly locked: boolean;
  readonly unlocksAt: number | null;
}

const unlocked: WithdrawalLock = { locked: false, unlocksAt: null };

const findLock = prepared(["accountId"], (db, { accountId }: { readonly accountId: string }) =>
  db
    .selectFrom("withdrawal_locks")
    .select("unlocks_at as unlocksAt")
    .where("account_id", "=", accountId),
);

export async function readLock(tx: Tx, accountId: string, now: number): Promise<WithdrawalLock> {
  const [row] = await findLock(tx, { accountId });
  if (row === undefined) return unlocked;
  const { unlocksAt } = row;
  return unlocksAt !== null && now >= unlocksAt ? unlocked : { locked: true, unlocksAt };
}

/** Locks the account's withdrawals until `unlocksAt`, or until an unlock is requested. */
export async function writeLock(
  tx: Tx,
  accountId: string,
  unlocksAt: number | null,
): Promise<void> {
  await tx
    .insertInto("withdrawal_locks")
    .values({ account_id: accountId, unlocks_at: unlocksAt })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ unlocks_at: unlocksAt }))
    .execute();
}

interface Destination {
  readonly accountId: string;
  readonly asset: string;
  readonly destination: string;
}

/** While withdrawals are locked, only addresses that were saved long enough ago are allowed. */
export async function isAllowedDestination(
  tx: Tx,
  { accountId, asset, destination }: Destination,
  now: number,
): Promise<boolean> {
  const { locked } = await readLock(tx, accountId, now);
  if (!locked) return true;
  const saved = await tx
    .selectFrom("withdrawal_addresses")
    .select("id")
    .where("account_id", "=", accountId)
    .where("asset", "=", asset)
    .where("destination", "=", destination)
    .where("created_at", "<=", now - coolDownMs)
    .executeTakeFirst();
  return saved !== undefined;
}

export async function saveAddress(tx: Tx, row: Schema["withdrawal_addresses"]): Promise<void> {
  await tx.insertInto("withdrawal_addresses").values(row).execute();
}

/** Deletes one of the account's own addresses. Undefined when it has no such address. */
export async function deleteAddress(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<Pick<Destination, "asset" | "destination"> | undefined> {
  return tx
    .deleteFrom("withdrawal_addresses")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .returning(["asset", "destination"])
    .executeTakeFirst();
}

/** Deletes the saved addresses and the lock. */
export const eraseGuards: Erase = async ({ tx }, accountId) => {
  await tx.deleteFrom("withdrawal_addresses").where("account_id", "=", accountId).execute();
  await tx.deleteFrom("withdrawal_locks").where("account_id", "=", accountId).execute();
};
