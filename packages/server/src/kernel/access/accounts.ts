import type { Tx } from "#ports/db.ts";
import { preparedCommand } from "#kernel/sql/prepared.ts";
import type { Schema } from "#ports/schema.ts";

type NewAccount = Pick<
  Schema["accounts"],
  "id" | "username" | "password_hash" | "recovery_hash" | "created_at"
>;

export async function addAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx.insertInto("accounts").values(account).execute();
}

const lockRow = preparedCommand(["accountId"], (tx, { accountId }: { accountId: string }) =>
  tx.selectFrom("accounts").select("id").where("id", "=", accountId).forNoKeyUpdate(),
);

/**
 * Locks the account's row until the transaction ends, which makes it safe to count the account's rows and then
 * add one. FOR UPDATE would also block every insert that references the account. On PostgreSQL the statement is
 * pipelined, so the next one waits for the lock.
 */
export function lockAccount(tx: Tx, accountId: string): Promise<void> {
  return lockRow(tx, { accountId });
}

/** Replaces the password hash that the caller verified. False when the password has changed since. */
export async function replacePasswordHash(
  tx: Tx,
  accountId: string,
  hashes: { readonly old: string; readonly new: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("accounts")
    .set({ password_hash: hashes.new })
    .where("id", "=", accountId)
    .where("password_hash", "=", hashes.old)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

interface Recovery {
  readonly usedHash: string;
  readonly nextHash: string;
  readonly passwordHash: string;
}

/** Replaces password and recovery code together. False when the code has been used already. */
export async function useRecoveryCode(
  tx: Tx,
  accountId: string,
  { usedHash, nextHash, passwordHash }: Recovery,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("accounts")
    .set({ password_hash: passwordHash, recovery_hash: nextHash })
    .where("id", "=", accountId)
    .where("recovery_hash", "=", usedHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Freezes the account, or unfreezes it when `freeze` is null. False when that changes nothing. */
export async function setFrozen(
  tx: Tx,
  accountId: string,
  freeze: { readonly at: number; readonly reason: string } | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("accounts")
    .set({ frozen_at: freeze?.at ?? null, frozen_reason: freeze?.reason ?? null })
    .where("id", "=", accountId)
    .where("frozen_at", freeze === null ? "is not" : "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * Erases name and credentials, if the password hash is still the one that the caller verified. The slash keeps the
 * placeholder from ever being a username, so the old name is free again.
 */
export async function closeAccountRow(
  tx: Tx,
  accountId: string,
  { passwordHash, now }: { readonly passwordHash: string; readonly now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("accounts")
    .set({
      username: `closed/${accountId}`,
      password_hash: "",
      recovery_hash: "",
      closed_at: now,
    })
    .where("id", "=", accountId)
    .where("password_hash", "=", passwordHash)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
