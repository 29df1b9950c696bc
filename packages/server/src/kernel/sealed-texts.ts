import type { Tx } from "#ports/db.ts";
import type { Erase } from "./closed-account.ts";
import { preparedInsert } from "./sql/prepared.ts";

/** Text that only an SSH key of the customer opens. */
export interface SealedText {
  readonly fingerprint: string;
  /** An armored age file. Null once it has expired. */
  readonly ciphertext: string | null;
  readonly expiresAt: number | null;
}

const insertSealedText = preparedInsert("sealed_texts", [
  "message_id",
  "fingerprint",
  "ciphertext",
  "expires_at",
]);

export async function attachSealedText(
  tx: Tx,
  messageId: string,
  { fingerprint, ciphertext, expiresAt }: SealedText,
): Promise<void> {
  const row = { message_id: messageId, fingerprint, ciphertext, expires_at: expiresAt };
  await insertSealedText(tx, row);
}

/** What a reader may see: nothing of an expired text, even before the next sweep erases it. */
export function shownAt(
  now: number,
  { fingerprint, ciphertext, expiresAt }: SealedText,
): SealedText {
  const isExpired = expiresAt !== null && expiresAt <= now;
  return { ciphertext: isExpired ? null : ciphertext, fingerprint, expiresAt };
}

/** Erases expired ciphertexts. Returns how many. */
export async function eraseSealedTexts(tx: Tx, now: number, limit: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable("sealed_texts")
    .set({ ciphertext: null })
    .where("message_id", "in", (eb) =>
      eb
        .selectFrom("sealed_texts")
        .select("message_id")
        .where("ciphertext", "is not", null)
        .where("expires_at", "<=", now)
        .orderBy("expires_at")
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export const eraseOwnSealedTexts: Erase = async ({ tx }, accountId) => {
  await tx
    .deleteFrom("sealed_texts")
    .where("message_id", "in", (eb) =>
      eb.selectFrom("messages").select("id").where("account_id", "=", accountId),
    )
    .execute();
};
