import type { Db, Tx } from "#ports/db.ts";
import type { FactorOwner } from "./owner.ts";
import type { Proof } from "./totp.ts";

/** Every write to the second factors, which accounts and operators store in the same columns. */

const tables = {
  account: { owners: "accounts", codes: "second_factor_codes", ownerId: "account_id" },
  operator: { owners: "operators", codes: "operator_recovery_codes", ownerId: "operator_id" },
} as const;

type Owner = Pick<FactorOwner, "kind" | "id">;

/** Both hold sealed secrets. */
export const secretColumns = ["totp_secret", "totp_pending"] as const;
export type SecretColumn = (typeof secretColumns)[number];

/** The sealed secrets: the active one, and one that waits for its first code. */
export function findSecrets(db: Db["read"], { kind, id }: Owner) {
  return db
    .selectFrom(tables[kind].owners)
    .select(["totp_secret as active", "totp_pending as pending"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** Stores a sealed secret that waits for its first code. False when a second factor is active. */
export async function storePending(tx: Tx, { kind, id }: Owner, sealed: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable(tables[kind].owners)
    .set({ totp_pending: sealed })
    .where("id", "=", id)
    .where("totp_secret", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

interface Confirmed {
  readonly pending: string;
  readonly step: number;
  readonly codeHashes: readonly string[];
}

/** Activates the pending secret with new recovery codes. False when another one is pending or active by then. */
export async function activate(
  tx: Tx,
  { kind, id }: Owner,
  { pending, step, codeHashes }: Confirmed,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable(tables[kind].owners)
    .set({ totp_secret: pending, totp_pending: null, totp_last_step: step })
    .where("id", "=", id)
    .where("totp_secret", "is", null)
    .where("totp_pending", "=", pending)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await deleteCodes(tx, { kind, id });
  const { codes, ownerId } = tables[kind];
  const rows = codeHashes.map((code_hash) => ({ [ownerId]: id, code_hash }));
  await tx.insertInto(codes).values(rows).execute();
  return true;
}

/**
 * Uses up a proof and returns whether it was still unused, which is true for only one of many concurrent attempts. A
 * code is refused once it or a later one has been used, even after the clock is set back.
 */
export async function takeProof(tx: Tx, { kind, id }: Owner, proof: Proof): Promise<boolean> {
  const { owners, codes, ownerId } = tables[kind];
  if ("step" in proof) {
    const taken = await tx
      .updateTable(owners)
      .set({ totp_last_step: proof.step })
      .where("id", "=", id)
      .where("totp_last_step", "<", proof.step)
      .executeTakeFirst();
    return taken.numUpdatedRows === 1n;
  }
  const used = await tx
    .deleteFrom(codes)
    .where(ownerId, "=", id)
    .where("code_hash", "=", proof.recoveryHash)
    .executeTakeFirst();
  return used.numDeletedRows === 1n;
}

/** Removes the active and the pending secret and the recovery codes. */
export async function removeFactor(tx: Tx, { kind, id }: Owner): Promise<void> {
  await tx
    .updateTable(tables[kind].owners)
    // Codes of the next secret cannot have been used before.
    .set({ totp_secret: null, totp_pending: null, totp_last_step: 0 })
    .where("id", "=", id)
    .execute();
  await deleteCodes(tx, { kind, id });
}

/** Replaces a secret that was sealed with an older key, unless it has changed meanwhile. */
export async function replaceSealed(
  tx: Tx,
  { kind, id }: Owner,
  column: SecretColumn,
  sealed: { readonly old: string; readonly new: string },
): Promise<void> {
  await tx
    .updateTable(tables[kind].owners)
    .set({ [column]: sealed.new })
    .where("id", "=", id)
    .where(column, "=", sealed.old)
    .execute();
}

async function deleteCodes(tx: Tx, { kind, id }: Owner): Promise<void> {
  const { codes, ownerId } = tables[kind];
  await tx.deleteFrom(codes).where(ownerId, "=", id).execute();
}
