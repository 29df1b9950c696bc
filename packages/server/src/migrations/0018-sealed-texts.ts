import type { MigrationStep } from "#ports/db.ts";

/**
 * Messages that only an SSH key of the customer opens. The service never has their text. After `expires_at` the
 * ciphertext is erased, and the row remains to say that there was one.
 */
export const sealedTexts: MigrationStep = {
  name: "0018-sealed-texts",
  statements: ({ integer, strict }) => [
    `create table sealed_texts (
       message_id text primary key references messages (id),
       fingerprint text not null,
       ciphertext text,
       expires_at ${integer},
       constraint sealed_texts_bounded check (length(ciphertext) between 1 and 16384),
       constraint sealed_texts_erased_after_expiry check (ciphertext is not null or expires_at is not null)
     )${strict}`,
    `create index sealed_texts_by_expiry on sealed_texts (expires_at)
       where ciphertext is not null and expires_at is not null`,
  ],
};
